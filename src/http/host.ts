import type { Deps } from '../context.ts';
import { invalidInput } from '../shared/errors.ts';
import { isLoopbackAddress, isLoopbackHost } from '../shared/loopback.ts';
import { isPublic } from '../shared/own-origin.ts';

/** A name or an address, with or without a port; underscores as in the names of containers. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(?::\d{0,5})?$/;
const ORIGIN_FORM = /^https?:\/\//;

/**
 * Throws 400 for a `Host` that is no host. Bun gives a request with such a header, or without any,
 * a URL that has no origin or cannot be parsed, and every later step would fail on it.
 */
export function checkHost(request: Request): void {
  const host = request.headers.get('host');
  const wellFormed = host === null || HOST.test(host);
  if (wellFormed && ORIGIN_FORM.test(request.url) && URL.canParse(request.url)) return;
  throw invalidInput('host', 'must be a name or an address, with or without a port');
}

const FORWARDING = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether a request comes from this machine itself: from a loopback address, to a loopback name (a
 * page whose name was pointed at 127.0.0.1 says its own), and through no proxy that tells. Of a
 * service with a public address, or with trusted proxies, none does.
 */
export function isFromThisMachine(
  { config }: Pick<Deps, 'config'>,
  { request, peer }: { request: Pick<Request, 'headers' | 'url'>; peer: string | undefined },
): boolean {
  if (isPublic(config) || peer === undefined || !isLoopbackAddress(peer)) return false;
  if (FORWARDING.some((name) => request.headers.has(name))) return false;
  const url = URL.parse(request.url);
  return url !== null && isLoopbackHost(url.hostname);
}

/** The path as the router reads it: as it was sent, without the query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}
