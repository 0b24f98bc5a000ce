import type { Deps } from '../../../context.ts';
import { Round } from '../../../shared/round.ts';
import { purchaseRefundAnswerContract } from '../../../temporal/contracts/purchases.ts';
import { ensureAll, ensureMissing } from '../../../temporal/ensure.ts';
import type { RefundKey } from '../model/refund-store.ts';
import * as queries from './requests-queries.ts';

const BATCH = 2_000;

const ensureRun = (
  temporal: Deps['temporal'],
  { orgId, appId, environment, requestId }: RefundKey,
) => temporal.ensure(purchaseRefundAnswerContract, { orgId, appId, environment, requestId });

export function ensureMissingRefundRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: queries.selectRequestsWithoutRun,
    ensure: ensureRun,
    markEnsured: queries.markRequestRuns,
  });
}

const rounds = new WeakMap<Deps['sql'], Round<queries.PendingRequest>>();

/** Runs that Temporal lost. */
export async function sweepRefundRequests(
  { sql, temporal }: Pick<Deps, 'sql' | 'temporal'>,
  before: Date,
): Promise<void> {
  const round = rounds.get(sql) ?? new Round<queries.PendingRequest>(BATCH);
  rounds.set(sql, round);
  const part = await round.next((after, limit) =>
    queries.selectPendingRequests(sql, { before, after, limit }),
  );
  await ensureAll(part, (request) => ensureRun(temporal, request));
}
