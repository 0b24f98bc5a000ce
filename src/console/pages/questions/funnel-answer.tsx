import type { FunnelAnswer as Answer, AnsweredStep } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, rate, shortNumber, UNKNOWN } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import {
  Columns,
  type FunnelGroup,
  FunnelRows,
  Legend,
  TimeChart,
} from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { wilson } from '../../parts/wilson.ts';
import { type FunnelAsk, fieldOf } from '../../state/ask.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { valueWord } from '../../state/condition-words.ts';
import { addDays } from '../../state/days.ts';
import { REST } from '../../state/sent-values.ts';
import { questions as t } from '../../texts/questions.ts';
import type { OnPick } from './behind.tsx';

const SLOTS = [1, 2, 3, 4, 5, 6] as const;
const HEIGHT_PX = 260;
const START = '2000-01-01';
/** As {@link REST}. */
const BEFORE = '\ud801';

type Step = AnsweredStep & { index: number; name: string };
type Named = { key: string; name: string; people: number; steps: readonly AnsweredStep[] };

function groupOf({ key, name, people, steps }: Named, index: number): FunnelGroup {
  return {
    ...{ key, name, slot: SLOTS[index] ?? 'other' },
    steps: steps.map((step) => {
      const { low, high } = wilson(step.people ?? 0, people);
      return { people: step.people ?? 0, rate: step.rateFromStart, low, high };
    }),
  };
}

const share = (value: number | null): string => (value === null ? UNKNOWN : rate(value));

const COLUMNS: Column<Step>[] = [
  { label: t.steps, show: ({ name }) => name, narrow: true },
  {
    label: t.people,
    number: true,
    show: ({ people }) => (people === null ? UNKNOWN : exactNumber(people)),
    plain: ({ people }) => people,
    narrow: true,
  },
  {
    label: t.fromBefore,
    number: true,
    show: ({ rateFromPrevious, index }) => (index === 0 ? '' : share(rateFromPrevious)),
    plain: ({ rateFromPrevious }) => rateFromPrevious,
  },
  {
    label: t.fromStart,
    number: true,
    show: ({ rateFromStart }) => share(rateFromStart),
    plain: ({ rateFromStart }) => rateFromStart,
    narrow: true,
  },
  {
    label: t.median,
    number: true,
    show: ({ medianSecondsFromPrevious, index }) =>
      index === 0 ? '' : duration(medianSecondsFromPrevious),
    plain: ({ medianSecondsFromPrevious }) => medianSecondsFromPrevious,
  },
];

/** The bounds are the same in every window. */
function Times({ answers }: { answers: readonly Answer[] }) {
  const known = answers.flatMap(({ distribution }) => (distribution ? [distribution] : []));
  const [first] = known;
  if (!first) return null;
  const format = { show: exactNumber, tick: shortNumber, isWhole: true };
  return (
    <Card title={t.times} isRegion>
      <TimeChart
        title={t.times}
        csvName="times"
        height={HEIGHT_PX}
        kind={known.length > 1 ? 'line' : 'bar'}
        days={first.map((_, index) => addDays(START, index))}
        places={{
          head: t.timesHead,
          names: first.map(({ toSeconds }) => `≤ ${duration(toSeconds)}`),
        }}
        series={known.map((parts, index) => ({
          key: String(index),
          name: known.length > 1 ? (index === 0 ? t.now : t.windowBefore) : t.timesPeople,
          slot: SLOTS[index] ?? 'other',
          values: parts.map(({ people }) => people),
        }))}
        format={format}
      />
    </Card>
  );
}

function namedOf(answers: readonly Answer[], ask: FunnelAsk): Named[] {
  const [now, before] = answers;
  if (now?.breakdown) {
    const field = ask.breakdown === undefined ? '' : fieldOf(ask.breakdown);
    return now.breakdown.slice(0, SLOTS.length).map(({ value, people, steps }) => ({
      ...{ key: value ?? REST, people, steps },
      name: value === null ? t.rest : valueWord(field, value),
    }));
  }
  return [
    ...(now ? [{ ...now, key: 'now', name: t.now }] : []),
    ...(before?.verdict === 'ready' ? [{ ...before, key: BEFORE, name: t.windowBefore }] : []),
  ];
}

export function FunnelAnswer(props: {
  ask: FunnelAsk;
  answers: readonly Answer[];
  onPick: OnPick;
}) {
  const { ask, answers, onPick } = props;
  const [now] = answers;
  if (!now) return null;
  if (now.verdict !== 'ready') {
    const isNone = now.verdict === 'no_data';
    return (
      <section class="card">
        <Empty
          icon={icons.funnels}
          title={isNone ? t.none : t.few}
          text={isNone ? t.noneText : t.fewText}
        />
      </section>
    );
  }
  const named = namedOf(answers, ask);
  const groups = named.map(groupOf);
  const steps = now.steps.map((step, index): Step => {
    const name = selectionWords(ask.steps[index] ?? {});
    return { ...step, index, name };
  });
  const shared = steps.map(({ index, name, people, dropped, verdict, ...step }) => ({
    ...{ key: String(index), name, isBiggestLeak: verdict === 'biggest_leak' },
    ...{ people: people ?? 0, lost: dropped ?? 0, medianSeconds: step.medianSecondsFromPrevious },
    ...{ fromStart: step.rateFromStart, fromPrevious: step.rateFromPrevious },
  }));
  const isBroken = now.breakdown !== null;
  const list = (dropped: boolean) => (index: number, key?: string) => {
    const step = steps[index];
    const group = named.find((one) => one.key === key);
    if (!step || key === BEFORE || key === REST) return;
    const name = dropped ? t.stopped(step.name) : step.name;
    onPick({
      question: 0,
      figure: { of: 'step', step: index + 1, ...(dropped && { dropped }) },
      values: isBroken && group ? [group.key] : [],
      title: isBroken && group ? `${group.name}, ${name}` : name,
    });
  };
  return (
    <>
      <Card
        title={t.kinds.funnel}
        flush
        class="wide-only"
        actions={
          groups.length > 1 && (
            <Legend items={groups.map(({ name, slot = 'other' }) => ({ name, slot }))} />
          )
        }
      >
        <div class="funnel-columns">
          <Columns
            title={t.kinds.funnel}
            csvName="funnel"
            steps={shared.map((step) => ({ ...step, rate: step.fromStart }))}
            groups={groups}
            onReached={list(false)}
            onLost={list(true)}
          />
        </div>
      </Card>
      <section class="card funnel-narrow narrow-only" aria-label={t.kinds.funnel}>
        <FunnelRows
          isDetailed
          rows={shared.map((step) => ({
            ...step,
            share: step.fromStart ?? 0,
            rate: step.fromPrevious,
          }))}
          onReached={(index) => list(false)(index)}
          onLost={(index) => list(true)(index)}
        />
      </section>
      <Card title={t.stepsTable} flush>
        <Table
          caption={t.stepsTable}
          rows={steps}
          keyOf={({ index }) => String(index)}
          columns={COLUMNS}
        />
      </Card>
      <Times answers={answers} />
    </>
  );
}
