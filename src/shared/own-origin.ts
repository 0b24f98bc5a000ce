import { isLoopbackHost } from './loopback.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

type Listening = { publicUrl: string | undefined; host: string; port: number };

/** The public origin: `PUBLIC_URL`, else the loopback name of this machine. */
export function publicUrlOf({ publicUrl, host, port }: Listening): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  if (isLoopbackHost(host) || ANY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** Whether others reach the service too: a proxy on this machine makes all of them look local. */
export function isPublic({
  publicUrl,
  trustProxy,
}: Pick<Listening, 'publicUrl'> & { trustProxy: number }): boolean {
  if (trustProxy > 0) return true;
  return publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname);
}

/**
 * The origins of the service itself: without `PUBLIC_URL` every loopback name on our port, since
 * people type any of them.
 */
export function ownOrigins(listening: Listening): string[] {
  const { origin, hostname } = new URL(publicUrlOf(listening));
  if (!isLoopbackHost(hostname)) return [origin];
  const names = LOOPBACK_NAMES.map((name) => new URL(`http://${name}:${listening.port}`).origin);
  return [...new Set([origin, ...names])];
}
