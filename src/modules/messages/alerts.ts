import { HOUR_MS } from '../../shared/time.ts';
import type { OpenAlert } from './alerts-queries.ts';

/** Flapping within 24 hours counts as one alert. */
export const ENDED_AFTER_MS = 24 * HOUR_MS;

export type AlertChanges = {
  begun: string[];
  absent: string[];
  present: string[];
  ended: string[];
};

/** Begins when first found, ends after a day without. */
export function followAlerts(
  open: readonly OpenAlert[],
  found: ReadonlySet<string>,
  now: Date,
): AlertChanges {
  const codes = (of: (alert: OpenAlert) => boolean) => open.filter(of).map(({ code }) => code);
  const isOver = ({ code, absentSince }: OpenAlert) =>
    !found.has(code) &&
    absentSince !== null &&
    now.getTime() - absentSince.getTime() >= ENDED_AFTER_MS;
  const known = new Set(open.map(({ code }) => code));
  return {
    begun: [...found].filter((code) => !known.has(code)),
    present: codes(({ code, absentSince }) => found.has(code) && absentSince !== null),
    absent: codes(({ code, absentSince }) => !found.has(code) && absentSince === null),
    ended: codes(isOver),
  };
}
