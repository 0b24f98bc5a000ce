import type { FunnelReport } from '../../../../clients/api/src/index.ts';
import { wilson } from '../../../shared/statistics/rates.ts';
import { dayIn } from '../../format.ts';
import type { ChartMark, TimeChartProps } from '../../parts/chart/types.ts';
import type { Fall } from './sentence.ts';

type Point = NonNullable<FunnelReport['trend']>[number];
type Rate = { rate: number | null; low: number | null; high: number | null };

export const MEAN_DAYS = 3;
const ENOUGH = 0.8;
const NONE: Rate = { rate: null, low: null, high: null };

function pooled(points: readonly Point[]): Rate {
  if (points.some(({ rate }) => rate === null)) return NONE;
  const people = points.reduce((sum, point) => sum + point.people, 0);
  const finished = points.reduce(
    (sum, point) => sum + Math.round((point.rate ?? 0) * point.people),
    0,
  );
  return { ...NONE, rate: finished / people, ...wilson(finished, people) };
}

export const meanOfDays = (points: readonly Point[]): Rate[] =>
  points.slice(MEAN_DAYS - 1).map((_, index) => pooled(points.slice(index, index + MEAN_DAYS)));

export function sinceFirst(points: readonly Point[]): readonly Point[] {
  const first = points.findIndex(({ people }) => people > 0);
  return points.slice(Math.max(0, first));
}

export function isByDay(points: readonly Point[]): boolean {
  const over = points.filter(({ partial }) => !partial);
  const known = over.filter(({ rate }) => rate !== null);
  return known.length > 0 && known.length >= over.length * ENOUGH;
}

export type Course = Required<Pick<TimeChartProps, 'days' | 'unit' | 'isLastPartial'>> & {
  rates: readonly Rate[];
  mean: number;
};

export function courseOf(
  points: readonly Point[],
  { unit, timezone }: { unit: 'day' | 'week'; timezone: string },
): Course {
  const own = points.map(
    ({ rate, rateLow, rateHigh }): Rate => ({ rate, low: rateLow, high: rateHigh }),
  );
  const days = points.map(({ from }) => dayIn(from, timezone));
  const isLastPartial = points.at(-1)?.partial ?? false;
  if (unit === 'week') return { days, unit, rates: own, isLastPartial, mean: 1 };
  const over = isLastPartial ? points.length - 1 : points.length;
  if (over <= MEAN_DAYS) return { days, unit, rates: own, isLastPartial, mean: 1 };
  return {
    days: days.slice(MEAN_DAYS - 1, over),
    unit,
    rates: meanOfDays(points.slice(0, over)),
    isLastPartial: false,
    mean: MEAN_DAYS,
  };
}

export function versionMarks(marks: readonly ChartMark[], fall: Fall | null): ChartMark[] {
  const told = fall?.isCertain && fall.isWhereMostStop ? fall : null;
  const bad = told?.group.value;
  const good = told?.later?.isCertain ? told.later.group.value : undefined;
  return marks
    .filter(({ kind }) => kind === 'version')
    .map((mark) => {
      if (mark.version !== undefined && mark.version === bad) return { ...mark, tone: 'warn' };
      if (mark.version !== undefined && mark.version === good) {
        return { ...mark, tone: 'good' };
      }
      return mark;
    });
}

export function badDays(
  marks: readonly ChartMark[],
  lastDay: string,
): { from: string; to: string; tone: 'warn' }[] {
  const bad = marks.find(({ tone }) => tone === 'warn');
  if (!bad) return [];
  const next = marks
    .filter(({ day }) => day > bad.day)
    .toSorted((one, other) => one.day.localeCompare(other.day))[0];
  return [{ from: bad.day, to: next?.day ?? lastDay, tone: 'warn' }];
}
