import type { Deps } from '../../context.ts';
import { morningDigestContract } from '../../temporal/contracts/digests.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import {
  deleteOldDigests,
  forgetEnsured,
  markRunsEnsured,
  selectSettingsWithoutRun,
} from './queries.ts';

const KEEP_DAYS = 90;
/** Temporal may lose a schedule; no digest is then missed for longer than its catch-up window. */
const ENSURED_AGAIN_HOURS = 2;

/** Makes the schedule of each organization what its settings say. */
export function ensureDigestSchedules(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectSettingsWithoutRun,
    ensure: (temporal, { orgId, isOn, timezone, hour }) =>
      isOn
        ? temporal.scheduleDaily(morningDigestContract, { orgId }, { timezone, hour })
        : temporal.unschedule(morningDigestContract, { orgId }),
    markEnsured: markRunsEnsured,
  });
}

/** Has schedules ensured again from time to time, and deletes old digests. */
export async function reconcileDigests({ sql }: Pick<Deps, 'sql'>): Promise<void> {
  await forgetEnsured(sql, ENSURED_AGAIN_HOURS);
  await deleteOldDigests(sql, KEEP_DAYS);
}
