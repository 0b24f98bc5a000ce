import type { ReportAnswer } from '../../../providers/store/port.ts';
import { daysBetween } from '../../../shared/pacific.ts';
import { DAY_MS } from '../../../shared/time.ts';

export const DAY_STATES = [
  'reported',
  'zero',
  'pending',
  'inferred_zero',
  'expired',
  'error',
] as const;
export type DayState = (typeof DAY_STATES)[number];

export type DayRecord = {
  state: DayState;
  checkedAt: Date;
  /** A second one a day later confirms it. */
  emptySeenAt: Date | null;
};

export type DayAnswer = 'rows' | 'empty' | 'not_yet' | 'gone' | 'unclear' | 'failed';

export type DayChange = {
  state: DayState;
  emptySeenAt: Date | null;
  rows: 'replace' | 'clear' | 'keep';
};

/** From this age on, an unclear 404 counts as zero. */
const UNCLEAR_DAYS = 2;

export function isCovered(state: DayState | undefined): boolean {
  return state === 'reported' || state === 'zero' || state === 'inferred_zero';
}

/** A header without rows means no sales. */
export const answerOfRows = (some: boolean): DayAnswer => (some ? 'rows' : 'empty');

export function toDayAnswer(kind: Exclude<ReportAnswer['kind'], 'report'>): DayAnswer {
  return kind === 'no_sales' ? 'empty' : kind;
}

type Situation = { record: DayRecord | null; day: string; today: string; now: Date };

function emptied({ record, now }: Situation): DayChange {
  if (record?.state !== 'reported') return { state: 'zero', emptySeenAt: null, rows: 'clear' };
  const seen = record.emptySeenAt;
  if (seen && now.getTime() - seen.getTime() >= DAY_MS) {
    return { state: 'zero', emptySeenAt: null, rows: 'clear' };
  }
  return { state: 'reported', emptySeenAt: seen ?? now, rows: 'keep' };
}

/** Only rows, or emptiness confirmed a day later, change a known day. */
export function nextDay(answer: DayAnswer, situation: Situation): DayChange {
  const { record, day, today } = situation;
  if (answer === 'rows') return { state: 'reported', emptySeenAt: null, rows: 'replace' };
  if (answer === 'empty') return emptied(situation);
  if (record && isCovered(record.state) && record.state !== 'inferred_zero') {
    return { state: record.state, emptySeenAt: record.emptySeenAt, rows: 'keep' };
  }
  const to = (state: DayState): DayChange => ({ state, emptySeenAt: null, rows: 'keep' });
  switch (answer) {
    case 'not_yet':
      return to('pending');
    case 'gone':
      return to('expired');
    case 'unclear':
      return to(daysBetween(day, today) > UNCLEAR_DAYS ? 'inferred_zero' : 'pending');
    case 'failed':
      return to(record?.state === 'inferred_zero' ? 'inferred_zero' : 'error');
  }
}
