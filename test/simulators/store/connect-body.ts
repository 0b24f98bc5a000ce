import type { StoreSimulator } from './server.ts';

/** The body of POST /v1/store/connection for the simulated account. */
export function connectBody({ account }: StoreSimulator, change: Record<string, unknown> = {}) {
  const [key] = account.keys;
  return {
    issuerId: key!.issuerId,
    keyId: key!.keyId,
    vendorNumber: account.vendorNumber,
    privateKey: key!.privateKey,
    ...change,
  };
}
