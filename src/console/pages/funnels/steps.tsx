import { Card } from '../../parts/card.tsx';
import {
  Columns,
  type FunnelGroup,
  FunnelRows,
  Legend,
  type Slot,
  WhiskerSign,
} from '../../parts/chart/index.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { drawnGroups, type Figures, leakOf } from './groups.ts';
import type { Listed } from './listed.ts';
import { stepWords } from './step-words.ts';
import type { StepsProps } from './steps-props.ts';
import { StepsTable } from './steps-table.tsx';
import { wilson } from '../../../shared/statistics/rates.ts';

const ALL = '';

function columnsOf(
  { people: entered, steps }: Figures,
  { key, name, slot }: { key: string; name: string; slot: Slot },
): FunnelGroup {
  return {
    ...{ key, name, slot },
    steps: steps.map(({ people, rateFromStart }) => {
      const { low = null, high = null } = { ...wilson(people ?? 0, entered) };
      return { people: people ?? 0, rate: rateFromStart, low, high };
    }),
  };
}

function StepColumns({ report, groups, canListGroups, onList }: StepsProps) {
  const drawn = drawnGroups(groups);
  const isAll = drawn.length === 0;
  const list = (kind: Listed['kind']) => (step: number, key: string) =>
    onList({ step: step + 1, kind, of: key || undefined, entered: undefined });
  const leak = leakOf(report.steps);
  return (
    <Columns
      title={t.columns}
      csvName="funnel"
      steps={report.steps.map((step, index) => ({
        key: String(step.index),
        name: step.label,
        people: step.people ?? 0,
        rate: step.rateFromStart,
        lost: step.dropped ?? 0,
        medianSeconds: step.medianSecondsFromPrevious,
        isBiggestLeak: index === leak,
      }))}
      groups={
        isAll
          ? [columnsOf(report, { key: ALL, name: t.all, slot: 1 })]
          : drawn.map(({ value, name, slot, figures }) =>
              columnsOf(figures, { key: value, name, slot }),
            )
      }
      {...((isAll || canListGroups) && { onReached: list('reached'), onLost: list('stopped') })}
    />
  );
}

function StepRows({ report, onList }: StepsProps) {
  const list = (kind: Listed['kind']) => (step: number) =>
    onList({ step: step + 1, kind, of: undefined, entered: undefined });
  const leak = leakOf(report.steps);
  return (
    <FunnelRows
      isDetailed
      rows={report.steps.map((step, index) => ({
        key: String(step.index),
        name: step.label,
        people: step.people,
        share: step.rateFromStart ?? 0,
        rate: step.rateFromPrevious,
        low: step.rateFromPreviousLow,
        high: step.rateFromPreviousHigh,
        medianSeconds: step.medianSecondsFromPrevious,
        lost: step.dropped ?? 0,
        isBiggestLeak: index === leak,
      }))}
      onReached={list('reached')}
      onLost={list('stopped')}
    />
  );
}

export function Steps(props: StepsProps) {
  const { report, groups } = props;
  const [first] = report.steps;
  const drawn = drawnGroups(groups);
  const isNew = report.filters.people === 'new';
  const sub = first && t.columnsSub(stepWords(first).did, isNew);
  return (
    <>
      <Card
        title={t.columns}
        sub={
          drawn.length > 0 && drawn.length < groups.length
            ? `${sub}, ${t.drawn(drawn.length, groups.length)}`
            : sub
        }
        flush
        class="funnel-steps wide-only"
        actions={
          <>
            {drawn.length > 0 && <Legend items={drawn} />}
            <WhiskerSign name={t.interval} />
          </>
        }
      >
        <div class="funnel-columns">
          <StepColumns {...props} />
        </div>
        <StepsTable {...props} />
      </Card>
      <section class="card funnel-narrow narrow-only" aria-label={t.columns}>
        <StepRows {...props} />
      </section>
    </>
  );
}
