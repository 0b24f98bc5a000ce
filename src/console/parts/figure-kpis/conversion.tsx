import { rate, rateInterval } from '../../format.ts';
import { beginsWithOpen } from '../../state/first-open.ts';
import type { Had } from '../../state/had.ts';
import { figures as t } from '../../texts/figures.ts';
import { type Figure, Spark } from '../chart/index.ts';
import { Kpi } from '../kpis.tsx';
import { type Cell, EmptyKpi } from './empty.tsx';

type Rate = { rate: Figure; rateLow: Figure; rateHigh: Figure; partial?: boolean };
type Report = {
  people: number;
  minimumPeople: number;
  verdict: string;
  overall: Rate;
  trend?: readonly Rate[];
};
const WEEKS_SAID = 3;

export function weeksInWords(trend: readonly Rate[]): string | null {
  const rates = trend.flatMap(({ rate: one, partial }) => (partial || one === null ? [] : [one]));
  const last = rates.slice(-WEEKS_SAID);
  if (last.length < 2) return null;
  return last
    .map((one, at) => (at === last.length - 1 ? rate(one) : rate(one).replace(/\s?%/, '')))
    .join(' → ');
}

/** No week that the range cuts, if there are others. */
function wholeOf(trend: readonly Rate[]): readonly Rate[] {
  const whole = trend.filter(({ partial }) => !partial);
  return whole.length > 1 ? whole : trend;
}

export function ConversionKpi(
  props: Cell & {
    conversion: Had<{
      funnel: { steps: readonly { event: string; where?: unknown }[] };
      report: Report;
      interval: 'day' | 'week';
    }>;
    days: number;
  },
) {
  const { conversion, days, ...cell } = props;
  const label = t.conversion(days);
  if (!conversion) {
    const meaning = t.meanings.conversion;
    return <EmptyKpi {...cell} label={label} meaning={meaning} had={conversion} why={t.noFunnel} />;
  }
  const { report, funnel, interval } = conversion;
  const { overall, trend = [], people, minimumPeople } = report;
  const isNew = beginsWithOpen(funnel.steps);
  const meaning = isNew ? t.meanings.conversionOfNew : t.meanings.conversion;
  if (overall.rate === null) {
    const why = t.fewPeople(people, minimumPeople);
    return <EmptyKpi {...cell} label={label} meaning={meaning} had={null} why={why} />;
  }
  const { rateLow, rateHigh } = overall;
  const words = interval === 'week' ? weeksInWords(trend) : null;
  const drawn = wholeOf(trend);
  return (
    <Kpi
      {...cell}
      label={label}
      meaning={meaning}
      figure={rate(overall.rate)}
      small={rateLow !== null && rateHigh !== null && rateInterval(rateLow, rateHigh)}
      change={
        words && (
          <>
            <span class="change">{words}</span>
            <span>{t.byWeek}</span>
          </>
        )
      }
      spark={
        <Spark
          kind="band"
          values={drawn.map((one) => one.rate)}
          low={drawn.map((one) => one.rateLow)}
          high={drawn.map((one) => one.rateHigh)}
        />
      }
    />
  );
}
