import type { Deps } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { deleteOldChecks } from './checks-queries.ts';

const KEPT_MS = 90 * DAY_MS;

export async function forgetReviews({ sql, clock }: Pick<Deps, 'clock' | 'sql'>): Promise<void> {
  await deleteOldChecks(sql, new Date(clock().getTime() - KEPT_MS));
}
