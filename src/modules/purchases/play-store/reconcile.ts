import type { Deps } from '../../../context.ts';
import { playPurchasesContract } from '../../../temporal/contracts/purchases.ts';
import { ensureAll } from '../../../temporal/ensure.ts';
import { selectAppsDue } from './due-queries.ts';

const APPS = 2_000;

export async function reconcilePlayStore({
  clock,
  sql,
  temporal,
}: Pick<Deps, 'clock' | 'sql' | 'temporal'>): Promise<void> {
  const apps = await selectAppsDue(sql, { now: clock(), limit: APPS });
  await ensureAll(apps, (app) => temporal.ensure(playPurchasesContract, app));
}
