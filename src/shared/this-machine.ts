import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';
import { isPublic } from './own-origin.ts';

const FORWARDING = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/** Loopback address and name (DNS rebinding), no proxy headers. */
export function isFromThisMachine(
  { config }: { config: Parameters<typeof isPublic>[0] },
  { request, peer }: { request: Pick<Request, 'headers' | 'url'>; peer: string | undefined },
): boolean {
  if (isPublic(config) || peer === undefined || !isLoopbackAddress(peer)) return false;
  if (FORWARDING.some((name) => request.headers.has(name))) return false;
  const url = URL.parse(request.url);
  return url !== null && isLoopbackHost(url.hostname);
}
