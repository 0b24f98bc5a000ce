import type { Deps } from '../../context.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import { toDailyTime } from './daily-time.ts';
import { deleteOldDigests, digestSchedules } from './queries.ts';

const KEEP_DAYS = 90;

export function ensureDigestSchedules(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    ...digestSchedules,
    ensure: (temporal, { orgId, isOn, ...time }) =>
      isOn
        ? temporal.scheduleDaily(morningDigestContract, { orgId }, toDailyTime(time))
        : temporal.unschedule(morningDigestContract, { orgId }),
  });
}

export async function reconcileDigests({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await digestSchedules.ensureAgain(sql);
  await deleteOldDigests(sql, KEEP_DAYS);
}
