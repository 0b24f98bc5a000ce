import { SECOND_MS } from '../../shared/time.ts';
import type { Lane } from './places.ts';
import { Schedule, type ScheduleOptions } from './schedule.ts';

const KINDS = ['reports', 'sql', 'lake'] as const;
export type ScheduleKind = (typeof KINDS)[number];

export type Schedules = Readonly<Record<ScheduleKind, Schedule>>;

export type SchedulesOptions = Pick<ScheduleOptions, 'payersOf'> & {
  processes: number;
  timeoutSeconds: number;
  onSeconds?: (kind: ScheduleKind, lane: Lane, seconds: number) => void;
};

/** More would only share the same cores and memory. */
export const PLACES = { long: 2, short: 1 } as const;
/** Trino queues more by itself. */
const LAKE_PLACES = { processes: 1, long: 4, short: 0 };

const WAITING_REPORTS = 20;
const WAITING_SQL = 4;
const SQL_WAIT_MS = 10 * SECOND_MS;

export function createSchedules({
  payersOf,
  processes,
  timeoutSeconds,
  onSeconds,
}: SchedulesOptions): Schedules {
  const reports = { waitMs: timeoutSeconds * SECOND_MS, waitingPerOrganization: WAITING_REPORTS };
  const capacity = { ...PLACES, processes };
  const create = (kind: ScheduleKind, options: Omit<ScheduleOptions, 'onSeconds' | 'payersOf'>) =>
    new Schedule({
      ...options,
      ...(payersOf && { payersOf }),
      onSeconds: (lane, seconds) => onSeconds?.(kind, lane, seconds),
    });
  return {
    reports: create('reports', { ...reports, capacity }),
    sql: create('sql', { capacity, waitMs: SQL_WAIT_MS, waitingPerOrganization: WAITING_SQL }),
    lake: create('lake', { ...reports, capacity: LAKE_PLACES }),
  };
}
