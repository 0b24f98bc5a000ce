import type { Deps } from '../../context.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import { toDailyTime } from './daily-time.ts';
import {
  deleteOldDigests,
  forgetEnsured,
  markRunsEnsured,
  selectSettingsWithoutRun,
} from './queries.ts';

const KEEP_DAYS = 90;
/** In case Temporal has lost a schedule; shorter than its catch-up window. */
const ENSURED_AGAIN_HOURS = 2;

export function ensureDigestSchedules(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectSettingsWithoutRun,
    ensure: (temporal, { orgId, isOn, ...time }) =>
      isOn
        ? temporal.scheduleDaily(morningDigestContract, { orgId }, toDailyTime(time))
        : temporal.unschedule(morningDigestContract, { orgId }),
    markEnsured: markRunsEnsured,
  });
}

export async function reconcileDigests({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await forgetEnsured(sql, ENSURED_AGAIN_HOURS);
  await deleteOldDigests(sql, KEEP_DAYS);
}
