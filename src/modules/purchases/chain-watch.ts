import type { Logger } from '../../observability/log.ts';
import type { Chain } from '../../providers/store-server/verifier.ts';
import { type Clock, MINUTE_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { insertChain, selectRevokedFingerprints } from './certificates-queries.ts';

/** A revocation that the background check found is felt within this time. */
const FRESH_MS = MINUTE_MS;

export type ChainWatch = {
  onChain: (chain: Chain) => void;
  isRevoked: (fingerprint: string) => boolean;
};

/**
 * Tells the background check which certificate chains are in use, and the verifier which of them
 * are revoked, without a query on the request path.
 */
export function createChainWatch(sql: Sql, clock: Clock, log: Logger): ChainWatch {
  let revoked: ReadonlySet<string> = new Set();
  let readAtMs = Number.NEGATIVE_INFINITY;

  const read = async () => {
    try {
      revoked = new Set(await selectRevokedFingerprints(sql));
    } catch (err) {
      log.warn({ err }, 'The revoked certificates could not be read');
    }
  };

  return {
    onChain: (chain) => {
      insertChain(sql, chain, clock()).catch((err) => {
        log.warn({ err }, 'A certificate chain could not be noted');
      });
    },
    isRevoked: (fingerprint) => {
      const nowMs = clock().getTime();
      if (nowMs - readAtMs >= FRESH_MS) {
        readAtMs = nowMs;
        void read();
      }
      return revoked.has(fingerprint);
    },
  };
}
