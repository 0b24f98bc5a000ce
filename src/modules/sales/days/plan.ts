import { REPORT_TYPES, type ReportType } from '../../../providers/store/port.ts';
import { addDays, daysBetween, pacificDay, pacificInstant } from '../../../shared/pacific.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import type { DayRecord } from './day-state.ts';

/** App Store Connect and Google Play. */
export const STORED_TYPES = [...REPORT_TYPES, 'EARNINGS', 'INSTALLS'] as const;
export type StoredType = (typeof STORED_TYPES)[number];

export type ReportDay = { reportType: ReportType; day: string };
export type DayIndex = ReadonlyMap<string, DayRecord>;

/** The store keeps daily reports for a year. */
export const HISTORY_DAYS = 365;
/** The last week daily, older days weekly. */
const REFETCH_DAYS = 7;
const SWEEP_DAYS = 35;
const SWEEP_EVERY_MS = 7 * DAY_MS;
const RETRY_MS = 30 * MINUTE_MS;
/** Retried half-hourly, older ones daily. */
const RECENT_DAYS = 2;
/** The last, of the Americas, appear by 5 in the morning. */
const FIRST_HOUR = 5;
const FIRST_MINUTE = 15;
const SPREAD_MINUTES = 30;

export const dayKey = (reportType: StoredType, day: string) => `${reportType} ${day}`;

/** Spreads organizations over half an hour. */
export function wakeMinute(orgId: string): number {
  return FIRST_MINUTE + Number(Bun.hash.wyhash(orgId) % BigInt(SPREAD_MINUTES));
}

export type PlanInput = {
  orgId: string;
  now: Date;
  records: DayIndex;
  /** Missing days and the last week are refetched from it on. */
  forcedAt: Date | null;
};

export type Plan = {
  /** Newest first; forced, missing days first. */
  due: ReportDay[];
  historyRemaining: number;
  nextWakeAt: Date;
};

const retryMs = (age: number) => (age <= RECENT_DAYS ? RETRY_MS : DAY_MS);

function isDue(record: DayRecord, age: number, input: PlanInput, morning: Date): boolean {
  const { now, forcedAt } = input;
  const since = now.getTime() - record.checkedAt.getTime();
  const isForced = forcedAt !== null && record.checkedAt < forcedAt;
  switch (record.state) {
    case 'expired':
      return false;
    case 'pending':
    case 'error':
      return isForced || since >= retryMs(age);
    default: {
      if (record.emptySeenAt && since >= DAY_MS) return true;
      if (age <= REFETCH_DAYS && isForced) return true;
      if (age <= REFETCH_DAYS && now >= morning && record.checkedAt < morning) return true;
      return age <= SWEEP_DAYS && since >= SWEEP_EVERY_MS;
    }
  }
}

/** Never requested, not published yet, or unreadable. */
function isMissing(record: DayRecord | undefined): boolean {
  return record === undefined || record.state === 'pending' || record.state === 'error';
}

function oldestDay(records: DayIndex, reportType: ReportType, today: string): string {
  for (let age = 1; age <= HISTORY_DAYS; age += 1) {
    const day = addDays(today, -age);
    if (records.get(dayKey(reportType, day))?.state === 'expired') return addDays(day, 1);
  }
  return addDays(today, -HISTORY_DAYS);
}

function nextWake(input: PlanInput, today: string, asked: readonly AskedDay[]): Date {
  const minute = wakeMinute(input.orgId);
  const todays = pacificInstant(today, FIRST_HOUR, minute);
  const daily = input.now < todays ? todays : pacificInstant(addDays(today, 1), FIRST_HOUR, minute);
  let wakeMs = daily.getTime();
  for (const { record, age } of asked) {
    const checkedMs = record.checkedAt.getTime();
    if (record.state === 'pending' || record.state === 'error') {
      wakeMs = Math.min(wakeMs, checkedMs + retryMs(age));
    }
    if (record.state === 'reported' && record.emptySeenAt) {
      wakeMs = Math.min(wakeMs, checkedMs + DAY_MS);
    }
  }
  return new Date(Math.max(wakeMs, input.now.getTime()));
}

type AskedDay = { record: DayRecord; age: number };

export function planDays(input: PlanInput): Plan {
  const today = pacificDay(input.now);
  const minute = wakeMinute(input.orgId);
  const morning = pacificInstant(today, FIRST_HOUR, minute);
  const due: (ReportDay & { age: number; missing: boolean })[] = [];
  const asked: AskedDay[] = [];
  let historyRemaining = 0;
  for (const reportType of REPORT_TYPES) {
    const oldest = oldestDay(input.records, reportType, today);
    for (let day = addDays(today, -1); day >= oldest; day = addDays(day, -1)) {
      const record = input.records.get(dayKey(reportType, day));
      const age = daysBetween(day, today);
      if (record) asked.push({ record, age });
      // The report of yesterday is not published before this hour.
      if (age === 1 && input.now < pacificInstant(today, FIRST_HOUR)) continue;
      const missing = isMissing(record);
      if (missing && reportType === 'SALES') historyRemaining += 1;
      if (!record || isDue(record, age, input, morning)) {
        due.push({ reportType, day, age, missing });
      }
    }
  }
  const missingFirst = input.forcedAt !== null;
  due.sort((a, b) => (missingFirst ? Number(b.missing) - Number(a.missing) : 0) || a.age - b.age);
  return {
    due: due.map(({ reportType, day }) => ({ reportType, day })),
    historyRemaining,
    nextWakeAt: nextWake(input, today, asked),
  };
}
