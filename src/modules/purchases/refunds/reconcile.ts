import type { Deps } from '../../../context.ts';
import { Round } from '../../../shared/round.ts';
import { purchaseRefundAnswerContract } from '../../../temporal/contracts/purchases.ts';
import { ensureAll, ensureMissing } from '../../../temporal/ensure.ts';
import type { RefundKey } from '../model/refund-store.ts';
import {
  markRequestRuns,
  type PendingRequest,
  selectPendingRequests,
  selectRequestsWithoutRun,
} from './requests-queries.ts';

const BATCH = 2_000;

const ensureRun = (
  temporal: Deps['temporal'],
  { orgId, appId, environment, requestId }: RefundKey,
) => temporal.ensure(purchaseRefundAnswerContract, { orgId, appId, environment, requestId });

export function ensureMissingRefundRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectRequestsWithoutRun,
    ensure: ensureRun,
    markEnsured: markRequestRuns,
  });
}

const rounds = new WeakMap<Deps['sql'], Round<PendingRequest>>();

/** Runs that Temporal lost. */
export async function sweepRefundRequests(
  { sql, temporal }: Pick<Deps, 'sql' | 'temporal'>,
  before: Date,
): Promise<void> {
  const round = rounds.get(sql) ?? new Round<PendingRequest>(BATCH);
  rounds.set(sql, round);
  const part = await round.next((after, limit) =>
    selectPendingRequests(sql, { before, after, limit }),
  );
  await ensureAll(part, (request) => ensureRun(temporal, request));
}
