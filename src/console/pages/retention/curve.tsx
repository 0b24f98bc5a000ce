import { rate, roundRate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { type ChartSeries, type Format, TimeChart } from '../../parts/chart/index.ts';
import { addDays } from '../../state/days.ts';
import { retention as t } from '../../texts/retention.ts';
import { cohortName, knownPeriods, periodName, type Report } from './report.ts';

const HEIGHT_PX = 280;
const MEAN = 'mean';
const RATES: Format = { show: rate, tick: roundRate };
/** The axis needs an order in time. */
const START = '2000-01-01';

function seriesOf({ cohorts, mean, ...report }: Report, periods: number): ChartSeries[] {
  const upTo = (values: readonly (number | null)[]) => values.slice(0, periods);
  const lines = cohorts.flatMap(({ from, periods: cells }, index): ChartSeries[] => {
    const values = upTo(cells.map((cell) => cell?.rate ?? null));
    if (values.every((value) => value === null)) return [];
    const name = cohortName({ ...report, cohorts, mean }, from);
    return [{ key: String(index), name, values, slot: 'other', isQuiet: true }];
  });
  return [
    ...lines,
    {
      key: MEAN,
      name: t.mean,
      slot: 1,
      values: upTo(mean.map((cell) => cell?.rate ?? null)),
      low: upTo(mean.map((cell) => cell?.rateLow ?? null)),
      high: upTo(mean.map((cell) => cell?.rateHigh ?? null)),
    },
  ];
}

export function Curve(props: { report: Report; onPick: (cohort: number, period: number) => void }) {
  const { report, onPick } = props;
  const periods = knownPeriods(report);
  const numbers = Array.from({ length: periods }, (_, index) => index + 1);
  const days = numbers.map((number) => addDays(START, number));
  const open = (day: string, key: string | undefined) => {
    if (key !== undefined && key !== MEAN) onPick(Number(key), days.indexOf(day) + 1);
  };
  return (
    <Card title={t.curve} sub={t.curveSub}>
      <TimeChart
        title={t.curve}
        csvName="retention-curve"
        height={HEIGHT_PX}
        days={days}
        places={{
          head: t.periods[report.interval],
          names: numbers.map((number) => periodName(report, number)),
        }}
        series={seriesOf(report, periods)}
        format={RATES}
        onDay={open}
        actionOf={() => t.clickLine}
      />
    </Card>
  );
}
