import { addressGroup } from '../shared/client-address.ts';
import type { Access } from './access.ts';
import type { Caller } from './authenticate.ts';
import { LIMITS } from './limits.ts';

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
export function limitKey(
  access: Access,
  caller: Caller | null,
  callerAddress: string,
): string | null {
  if (access.limit === 'none') return null;
  const address = addressGroup(callerAddress);
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
