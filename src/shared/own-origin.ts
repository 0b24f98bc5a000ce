import { isLoopbackHost } from './loopback.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

type Listening = { publicUrl: string | undefined; host: string; port: number };

export function toPublicUrl({ publicUrl, host, port }: Listening): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  if (isLoopbackHost(host) || ANY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** A local proxy makes all callers look local. */
export function isPublic({
  publicUrl,
  trustProxy,
}: Pick<Listening, 'publicUrl'> & { trustProxy: number }): boolean {
  if (trustProxy > 0) return true;
  return publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname);
}

/** Without `PUBLIC_URL` all loopback names, since people type any of them. */
export function ownOrigins(listening: Listening): string[] {
  const { origin, hostname } = new URL(toPublicUrl(listening));
  if (!isLoopbackHost(hostname)) return [origin];
  const names = LOOPBACK_NAMES.map((name) => new URL(`http://${name}:${listening.port}`).origin);
  return [...new Set([origin, ...names])];
}

/** Behind an unknown proxy all callers look alike. */
export function unseenProxy({
  host,
  publicUrl,
  trustProxy,
}: Pick<Listening, 'host' | 'publicUrl'> & { trustProxy: number }): string | null {
  const isProxied =
    publicUrl !== undefined && isLoopbackHost(host) && !isLoopbackHost(new URL(publicUrl).hostname);
  if (!isProxied || trustProxy > 0) return null;
  return 'PUBLIC_URL is not on this machine while HOST is, so a proxy forwards requests. Set TRUST_PROXY to the number of proxies in front, or all callers share one rate limit.';
}
