import type { Arrival, DoctorReport, Examined } from '../../modules/system/index.ts';
import type { Deps } from '../../context.ts';
import { toIso } from '../../shared/time.ts';
import { ADDRESS_CHECKS } from './address-checks.ts';
import { BUCKET_CHECKS } from './bucket-checks.ts';
import { type About, runChecks } from './check.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { HOST_CHECKS } from './host-checks.ts';
import { SERVICE_CHECKS } from './service-checks.ts';
import { STATUS_CHECKS } from './status-checks.ts';

const CHECKS = [
  ...HOST_CHECKS,
  ...ADDRESS_CHECKS,
  ...DATABASE_CHECKS,
  ...BUCKET_CHECKS,
  ...SERVICE_CHECKS,
  ...STATUS_CHECKS,
];

export const examine = (about: About) => runChecks(CHECKS, about);

export async function examineRunning(
  deps: Pick<Deps, Examined>,
  arrival: Arrival | null,
): Promise<DoctorReport> {
  const servers = { postgres: true, temporal: true };
  const checks = await examine({
    ...{ deps, servers, isRunning: true, pid: 'self' },
    arrived: async () => arrival,
  });
  const ok = checks.every(({ status }) => status !== 'error');
  return { ok, checkedAt: toIso(deps.clock()), arrival, checks };
}
