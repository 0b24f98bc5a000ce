import type { Deps } from '../../../context.ts';
import type { StoreKey } from '../../../providers/store/port.ts';
import type { KeyRecord } from './connection-queries.ts';

export const STORE_KEY_PURPOSE = 'store-connection';
const scope = (orgId: string) => ({ orgId, purpose: STORE_KEY_PURPOSE });

export function sealPrivateKey(deps: Pick<Deps, 'secrets'>, orgId: string, pem: string): string {
  return deps.secrets.seal(scope(orgId), pem);
}

/** Throws `secret_storage_unavailable`. */
export function openKey(deps: Pick<Deps, 'secrets'>, record: KeyRecord): StoreKey {
  return {
    issuerId: record.issuerId,
    keyId: record.keyId,
    privateKey: deps.secrets.open(scope(record.orgId), record.sealedKey),
  };
}
