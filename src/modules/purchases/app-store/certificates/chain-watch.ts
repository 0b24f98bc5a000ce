import type { Deps } from '../../../../context.ts';
import type { Logger } from '../../../../observability/log.ts';
import type { CertificateChain } from '../../../../providers/store-server/port.ts';
import { errorMessage } from '../../../../shared/errors.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../../shared/time.ts';
import type { Sql } from '../../../../storage/postgres.ts';
import * as queries from './queries.ts';

const CHECK_AFTER_MS = 24 * HOUR_MS;
const RETRY_AFTER_MS = HOUR_MS;
/** Apple signs with very few chains at a time. */
const BATCH = 4;

type CheckDeps = Pick<Deps, 'sql' | 'clock' | 'log' | 'askRevocation'>;

async function judgeChain(deps: CheckDeps, chain: CertificateChain): Promise<queries.ChainVerdict> {
  const at = deps.clock();
  try {
    return { state: await deps.askRevocation(chain, at), error: null, at };
  } catch (thrown) {
    return { state: null, error: errorMessage(thrown), at };
  }
}

export async function checkCertificates(deps: CheckDeps): Promise<void> {
  const nowMs = deps.clock().getTime();
  const due = await queries.selectUncheckedChains(deps.sql, {
    before: new Date(nowMs - CHECK_AFTER_MS),
    failedBefore: new Date(nowMs - RETRY_AFTER_MS),
    limit: BATCH,
  });
  for (const chain of due) {
    const verdict = await judgeChain(deps, chain);
    const { fingerprint } = chain;
    if (verdict.state === 'revoked') {
      deps.log.error({ fingerprint }, 'certificate chain of the store is revoked');
    }
    await queries.recordChainVerdict(deps.sql, fingerprint, verdict);
  }
}

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
      revoked = new Set(await queries.selectRevokedFingerprints(sql));
    } catch (err) {
      log.warn({ err }, 'revoked certificates could not be read');
    }
  };

  return {
    onChain: (chain) => {
      queries.insertChain(sql, chain, clock()).catch((err) => {
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
