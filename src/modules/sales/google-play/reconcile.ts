import type { Deps } from '../../../context.ts';
import { googlePlayReportsContract } from '../../../temporal/contracts/store.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import { selectAccountsDue } from './accounts-queries.ts';

const ACCOUNTS = 2_000;

export async function reconcilePlayReports({
  clock,
  sql,
  temporal,
}: Pick<Deps, 'clock' | 'sql' | 'temporal'>): Promise<void> {
  const due = await selectAccountsDue(sql, { now: clock(), limit: ACCOUNTS });
  await ensureAll(due, (orgId) => temporal.ensure(googlePlayReportsContract, { orgId }));
}
