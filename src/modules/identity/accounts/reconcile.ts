import type { Deps } from '../../../context.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { deleteEnded } from './queries.ts';

const KEPT_MS = 30 * DAY_MS;
const BATCH = 1_000;

/** Nothing refers to what ended a month ago; without this it would stay for ever. */
export async function reconcileAccounts({ sql, clock }: Pick<Deps, 'sql' | 'clock'>) {
  await deleteEnded(sql, new Date(clock().getTime() - KEPT_MS), BATCH);
}
