import { invalidInput } from '../shared/errors.ts';

const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(?::\d{0,5})?$/;
const ORIGIN_FORM = /^https?:\/\//;

/** Throws 400: Bun's URL would lack an origin or be unparsable. */
export function checkHost(request: Request): void {
  const host = request.headers.get('host');
  const wellFormed = host === null || HOST.test(host);
  if (wellFormed && ORIGIN_FORM.test(request.url) && URL.canParse(request.url)) return;
  throw invalidInput('host', 'must be a name or an address, with or without a port');
}

/** Raw path without query, as the router reads it. */
export function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}

const ADDRESS = /^([a-z]+:\/\/[^/?]*)([^?]*)/i;

/** Clients join paths carelessly. */
export function withPlainSlashes(request: Request): Request {
  const plain = request.url.replace(
    ADDRESS,
    (_, origin, path) => `${origin}${path.replaceAll(/\/+(?=\/|$)/g, '') || '/'}`,
  );
  // A copy would lack its peer.
  if (plain !== request.url) Object.defineProperty(request, 'url', { value: plain });
  return request;
}
