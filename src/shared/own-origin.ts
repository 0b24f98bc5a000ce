import { isLoopbackHost } from './loopback.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

type Listening = { publicUrl: string | undefined; host: string; port: number };

/** Where people reach the service: `PUBLIC_URL`, else the name of this machine that all of it uses. */
export function publicUrlOf({ publicUrl, host, port }: Listening): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  if (isLoopbackHost(host) || ANY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/**
 * The origins that are the service itself. On a machine of one's own, every loopback name on our
 * port is: which of them somebody types is chance.
 */
export function ownOrigins(listening: Listening): string[] {
  const { origin, hostname } = new URL(publicUrlOf(listening));
  if (!isLoopbackHost(hostname)) return [origin];
  const names = LOOPBACK_NAMES.map((name) => new URL(`http://${name}:${listening.port}`).origin);
  return [...new Set([origin, ...names])];
}
