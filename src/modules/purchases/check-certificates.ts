import type { Deps } from '../../context.ts';
import { messageOf } from '../../shared/errors.ts';
import { HOUR_MS } from '../../shared/time.ts';
import {
  type CertificateChain,
  type ChainVerdict,
  noteChainVerdict,
  selectUncheckedChains,
} from './certificates-queries.ts';

const AGAIN_AFTER_MS = 24 * HOUR_MS;
/** Without a usable answer, the responder is asked sooner. */
const RETRY_AFTER_MS = HOUR_MS;
/** The store signs with very few chains at a time. */
const BATCH = 4;

type CheckDeps = Pick<Deps, 'sql' | 'clock' | 'log' | 'askRevocation'>;

async function verdictOf(deps: CheckDeps, chain: CertificateChain): Promise<ChainVerdict> {
  const at = deps.clock();
  try {
    return { state: await deps.askRevocation(chain, at), error: null, at };
  } catch (thrown) {
    return { state: null, error: messageOf(thrown), at };
  }
}

/**
 * Asks about the certificate chains that signed data was trusted with. A revoked one is refused by
 * the verifier from then on; no answer changes nothing.
 */
export async function checkCertificates(deps: CheckDeps): Promise<void> {
  const nowMs = deps.clock().getTime();
  const due = await selectUncheckedChains(deps.sql, {
    before: new Date(nowMs - AGAIN_AFTER_MS),
    failedBefore: new Date(nowMs - RETRY_AFTER_MS),
    limit: BATCH,
  });
  for (const chain of due) {
    const verdict = await verdictOf(deps, chain);
    const { fingerprint } = chain;
    if (verdict.state === 'revoked') {
      deps.log.error({ fingerprint }, 'A certificate chain of the store is revoked');
    }
    await noteChainVerdict(deps.sql, fingerprint, verdict);
  }
}
