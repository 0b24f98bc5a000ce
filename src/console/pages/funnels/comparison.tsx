import { dayIn, dayRange, rate, signedPoints, UNKNOWN } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Difference } from '../../parts/chart/index.ts';
import { Table } from '../../parts/table.tsx';
import { addDays } from '../../state/days.ts';
import { funnels as t } from '../../texts/funnels.ts';
import type { FunnelReport } from './queries.ts';

type Comparison = NonNullable<FunnelReport['comparison']>;
type Step = Comparison['steps'][number];

/** Smaller differences say nothing to a reader. */
const MARGIN = 0.01;
const WIDTH_PX = 200;

function shownDifference({ fromPrevious: rates }: Step): string {
  if (!rates || rates.difference === null || rates.low === null || rates.high === null) {
    return UNKNOWN;
  }
  return signedPoints(rates.difference);
}

function shownInterval({ fromPrevious: rates }: Step): string {
  if (!rates || rates.low === null || rates.high === null) return '';
  return `${signedPoints(rates.low)} … ${signedPoints(rates.high)}`;
}

type ComparedProps = { report: FunnelReport; steps: readonly Step[]; title: string };

function Compared({ report, steps, title }: ComparedProps) {
  const ends = steps.flatMap(({ fromPrevious }) => [
    fromPrevious?.low ?? 0,
    fromPrevious?.high ?? 0,
  ]);
  const most = Math.max(2 * MARGIN, ...ends.map(Math.abs)) * 1.05;
  return (
    <Table
      caption={title}
      rows={steps}
      keyOf={({ index }) => String(index)}
      csvName="funnel-compared"
      columns={[
        {
          label: t.step,
          narrow: true,
          show: ({ index }) => report.steps[index - 1]?.label ?? String(index),
        },
        { label: t.peopleBefore, figure: ({ people }) => people },
        {
          label: t.rateBefore,
          figure: ({ fromPrevious }) => fromPrevious?.before ?? null,
          format: rate,
        },
        {
          label: t.rateNow,
          figure: ({ fromPrevious }) => fromPrevious?.now ?? null,
          format: (now) => <b>{rate(now)}</b>,
          narrow: true,
        },
        {
          label: t.differenceText,
          number: true,
          narrow: true,
          show: (step) => shownDifference(step),
          second: (step) => shownInterval(step),
          plain: ({ fromPrevious }) => fromPrevious?.difference ?? null,
        },
        {
          label: t.difference,
          show: ({ fromPrevious }) => (
            <Difference
              scale={{ min: -most, max: most }}
              value={fromPrevious?.difference ?? null}
              low={fromPrevious?.low ?? null}
              high={fromPrevious?.high ?? null}
              margin={MARGIN}
              width={WIDTH_PX}
            />
          ),
        },
      ]}
    />
  );
}

type Props = { report: FunnelReport; comparison: Comparison };

export function ComparedSteps({ report, comparison }: Props) {
  const { window, people, verdict, notice, steps } = comparison;
  const from = dayIn(window.from, report.timezone);
  const span = dayRange(from, addDays(dayIn(window.to, report.timezone), -1));
  const few = verdict === 'ready' ? undefined : t.fewBefore(span, people, report.minimumPeople);
  const why = notice ?? few;
  return (
    <Card title={t.compared(span)} sub={t.comparedSub} flush class="funnel-compared">
      {why ? (
        <p class="card-note">{why}</p>
      ) : (
        <Compared report={report} steps={steps} title={t.compared(span)} />
      )}
    </Card>
  );
}
