import { randomInt } from 'node:crypto';
import { isLoopbackHost } from '../../shared/loopback.ts';
import { freePort, isFree } from './ports.ts';

export type UiAddress = { host: string; port: number };

/** Per connection (RFC 9110). */
const HOP_BY_HOP = ['connection', 'host', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'];

/** Unguessable, against DNS rebinding: the UI accepts any host name. Null on macOS. */
export async function hiddenUiAddress(): Promise<UiAddress | null> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const port = await freePort();
  return (await isFree(port, host)) ? { host, port } : null;
}

const toHostname = (host: string) => URL.parse(`http://${host}`)?.hostname ?? '';

/** Foreign pages could read or start runs (CSRF). */
function isOwnRequest(request: Request): boolean {
  const host = request.headers.get('host') ?? '';
  if (!isLoopbackHost(toHostname(host))) return false;
  const origin = request.headers.get('origin');
  return origin === null || URL.parse(origin)?.host === host;
}

function withoutHops(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of HOP_BY_HOP) kept.delete(name);
  return kept;
}

async function passOn(request: Request, { host, port }: UiAddress): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await fetch(`http://${host}:${port}${pathname}${search}`, {
    method: request.method,
    headers: withoutHops(request.headers),
    body: request.body,
    redirect: 'manual',
    decompress: false,
  });
  const headers = withoutHops(answer.headers);
  headers.set('referrer-policy', 'no-referrer');
  return new Response(answer.body, { status: answer.status, headers });
}

/** Exceeds the UI's long poll for run events. */
const IDLE_SECONDS = 120;

export type UiProxy = { stop: () => Promise<void> };

export function startUiProxy(port: number, target: UiAddress): UiProxy {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    idleTimeout: IDLE_SECONDS,
    fetch: (request) => {
      if (!isOwnRequest(request)) {
        return new Response('The Temporal UI answers to localhost and 127.0.0.1 only.', {
          status: 403,
        });
      }
      return passOn(request, target).catch(
        () => new Response('The Temporal UI is not up yet.', { status: 502 }),
      );
    },
  });
  return { stop: () => server.stop(true) };
}
