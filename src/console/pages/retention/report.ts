import { dayRange, dayWithWeekday, monthName, rate } from '../../format.ts';
import type { TriangleProps } from '../../parts/chart/types.ts';
import type { Retention as Report } from '../../state/app-figures.ts';
import { addDays, dayOf } from '../../state/days.ts';
import { retention as t } from '../../texts/retention.ts';

export type { Report };
type Cell = Report['mean'][number];

export function cohortName({ interval, timezone }: Report, from: string): string {
  const day = dayOf(Date.parse(from), timezone);
  switch (interval) {
    case 'week':
      return dayRange(day, addDays(day, 6));
    case 'month':
      return monthName(day.slice(0, 'YYYY-MM'.length));
    default:
      return dayWithWeekday(day);
  }
}

export const periodName = ({ interval }: Pick<Report, 'interval'>, period: number): string =>
  t.period[interval](period);

export const afterName = (
  { interval, criterion }: Pick<Report, 'interval' | 'criterion'>,
  period: number,
): string => (criterion === 'on' ? t.after : t.orLater)[interval](period);

export function knownPeriods({ cohorts, mean }: Pick<Report, 'cohorts' | 'mean'>): number {
  const isKnown = (index: number) =>
    cohorts.some(({ periods }) => (periods[index] ?? null) !== null);
  return mean.findLastIndex((_, index) => isKnown(index)) + 1;
}

function cellOf(
  cell: Cell | undefined,
  of: number,
): TriangleProps['rows'][number]['cells'][number] {
  if (!cell || (cell.rate === null && cell.returned === null)) return null;
  return {
    rate: cell.rate,
    low: cell.rateLow,
    high: cell.rateHigh,
    ...(cell.returned !== null && of > 0 && { count: { people: cell.returned, of } }),
  };
}

export const sizeOf = ({ cohorts }: Pick<Report, 'cohorts'>, index: number): number =>
  cohorts.reduce(
    (sum, { people, periods }) => sum + ((periods[index] ?? null) === null ? 0 : people),
    0,
  );

export function rowsOf(report: Report): TriangleProps['rows'] {
  const { cohorts, mean, people, verdict } = report;
  const rows = cohorts.map(({ from, people: size, partial, periods }, index) => ({
    key: String(index),
    name: partial ? t.soFar(cohortName(report, from)) : cohortName(report, from),
    people: size,
    cells: periods.map((period) => cellOf(period, size)),
  }));
  if (verdict !== 'ready') return rows;
  const cells = mean.map((period, index) => cellOf(period, sizeOf(report, index)));
  return [...rows, { key: 'mean', name: t.mean, people, cells, isTotal: true }];
}

export function sentence(
  report: Report,
  names: { starts: string; returns: string },
): string | null {
  const { interval, cohort, criterion, mean } = report;
  const known = mean.flatMap((cell, index) =>
    cell && cell.rate !== null ? [{ rate: rate(cell.rate), period: index + 1 }] : [],
  );
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return null;
  const who =
    cohort === 'first' ? t.who.first(names.starts) : t.who.recurring(names.starts, interval);
  const came = t.came(names.returns);
  const after = (period: number) => afterName({ interval, criterion }, period);
  const later = last.period === first.period ? '' : `${last.rate} ${after(last.period)}`;
  return t.sentence(first.rate, `${who} ${came}`, after(first.period), later);
}
