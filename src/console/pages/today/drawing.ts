import { wholeUnits } from '../../format.ts';
import { GOOD_COUNTS, GOOD_RATES, moneyFormat } from '../../parts/chart/formats.ts';
import type { Figure, TimeChartProps } from '../../parts/chart/types.ts';
import type { AppSales } from '../../state/app-sales.ts';
import { dayOf } from '../../state/days.ts';
import type { FunnelReport } from '../../state/default-funnel.ts';
import { daysWeekEarlier, type PeopleDays } from '../../state/people-days.ts';
import type { RevenueSum } from '../../state/revenue-of-all.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.charts;

export type Drawing = Pick<TimeChartProps, 'days' | 'series' | 'format'> &
  Partial<Pick<TimeChartProps, 'kind' | 'unit' | 'previous' | 'isLastPartial' | 'late'>>;

export function peopleDrawing(people: PeopleDays, name: string): Drawing {
  const isKnownBefore = people.weekEarlier.some((value) => value !== null);
  return {
    days: people.days,
    series: [{ key: 'people', name, values: people.values }],
    format: GOOD_COUNTS,
    isLastPartial: people.isLastPartial,
    ...(isKnownBefore && {
      previous: {
        name: t.weekEarlier,
        values: people.weekEarlier,
        days: daysWeekEarlier(people),
      },
    }),
  };
}

export function conversionDrawing(report: FunnelReport, unit: 'day' | 'week'): Drawing {
  const { trend = [], timezone } = report;
  const of = (key: 'rate' | 'rateLow' | 'rateHigh'): Figure[] => trend.map((one) => one[key]);
  return {
    days: trend.map(({ from }) => dayOf(Date.parse(from), timezone)),
    unit,
    series: [
      {
        key: 'conversion',
        name: t.line.conversion,
        values: of('rate'),
        low: of('rateLow'),
        high: of('rateHigh'),
      },
    ],
    format: GOOD_RATES,
    isLastPartial: trend.at(-1)?.partial ?? false,
  };
}

export function proceedsDrawing(sales: AppSales, late: readonly string[]): Drawing {
  const { currency } = sales;
  const values = sales.proceedsByDay.map((minor) =>
    minor === null ? null : wholeUnits(minor, currency),
  );
  return {
    days: sales.days,
    kind: 'bar',
    series: [{ key: 'proceeds', name: t.line.proceeds, values }],
    format: moneyFormat(currency),
    late,
  };
}

export function mrrDrawing({ days, mrrByDay, currency }: RevenueSum): Drawing {
  return {
    days,
    series: [
      {
        key: 'mrr',
        name: t.line.mrr,
        values: mrrByDay.map((minor) => wholeUnits(minor, currency)),
        slot: 3,
      },
    ],
    format: moneyFormat(currency),
  };
}
