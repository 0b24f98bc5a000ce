import type { Access } from './access.ts';
import type { Caller } from './authenticate.ts';
import { LIMITS } from './limits.ts';

/** The address of the caller, as far as the proxies in front can be trusted. */
export function clientAddress(
  headers: Headers,
  socketAddress: string | undefined,
  trustedProxies: number,
): string {
  const direct = socketAddress ?? 'unknown';
  if (trustedProxies === 0) return direct;
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  // Each proxy appends the address that it saw, so the last ones are those that ours wrote.
  return forwarded.at(-trustedProxies) || direct;
}

function identityOf(caller: Caller | null, address: string): string {
  switch (caller?.kind) {
    case 'orgKey':
    case 'device':
      return caller.keyId;
    case 'session':
      return caller.userId;
    default:
      return address;
  }
}

/** What a request is counted by, or null for routes without a limit. */
export function limitKey(access: Access, caller: Caller | null, address: string): string | null {
  if (access.limit === 'none') return null;
  switch (LIMITS[access.limit].by) {
    case 'address':
      return address;
    case 'app':
      return caller?.kind === 'device' ? caller.appId : address;
    case 'keyAndAddress':
      return `${identityOf(caller, address)} ${address}`;
    default:
      return identityOf(caller, address);
  }
}
