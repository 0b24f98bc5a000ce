import type { Logger } from '../../../../observability/log.ts';
import type { CertificateChain } from '../../../../providers/store-server/port.ts';
import { type Clock, MINUTE_MS } from '../../../../shared/time.ts';
import type { Sql } from '../../../../storage/postgres.ts';
import { insertChain, selectRevokedFingerprints } from './queries.ts';

/** Delay of a revocation. */
const FRESH_MS = MINUTE_MS;

export type ChainWatch = {
  onChain: (chain: CertificateChain) => void;
  isRevoked: (fingerprint: string) => boolean;
};

/** No query on the request path. */
export function createChainWatch(sql: Sql, clock: Clock, log: Logger): ChainWatch {
  let revoked: ReadonlySet<string> = new Set();
  let readAtMs = Number.NEGATIVE_INFINITY;

  const read = async () => {
    try {
      revoked = new Set(await selectRevokedFingerprints(sql));
    } catch (err) {
      log.warn({ err }, 'revoked certificates could not be read');
    }
  };

  return {
    onChain: (chain) => {
      insertChain(sql, chain, clock()).catch((err) => {
        log.warn({ err }, 'certificate chain could not be recorded');
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
