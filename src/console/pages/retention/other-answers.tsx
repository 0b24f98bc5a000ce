import type {
  LifecycleAnswer as Lifecycle,
  PathsAnswer as Paths,
} from '../../../../clients/api/src/index.ts';
import { rate, UNKNOWN } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { COUNTS } from '../../parts/chart/formats.ts';
import { Meter, TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { TableCard } from '../../parts/list-card.tsx';
import { EmptyCard } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';
import { fieldOf, type LifecycleAsk } from '../../state/ask.ts';
import { valueWord } from '../../state/condition-words.ts';
import { questions as t } from '../../texts/questions.ts';
import type { OnPick } from '../questions/behind.tsx';
import { placeName, placeOf } from '../trends/places.ts';

const STATES = ['new', 'returning', 'resurrected', 'dormant'] as const;
const SLOTS = { new: 2, returning: 1, resurrected: 3, dormant: 'other' } as const;
const HEIGHT_PX = 340;

type Point = Lifecycle['points'][number];

export function LifecycleAnswer(props: { ask: LifecycleAsk; answer: Lifecycle; onPick: OnPick }) {
  const { ask, answer, onPick } = props;
  const { breakdown } = answer;
  if (!breakdown) return <States {...{ answer, onPick, title: t.lifecycle, values: [] }} />;
  const field = ask.breakdown === undefined ? '' : fieldOf(ask.breakdown);
  return breakdown.map(({ value, ...figures }, index) => (
    <States
      key={index}
      answer={{ ...answer, ...figures }}
      title={value === null ? t.rest : valueWord(field, value)}
      values={value === null ? null : [value]}
      onPick={onPick}
    />
  ));
}

function States(props: {
  answer: Lifecycle;
  title: string;
  values: readonly string[] | null;
  onPick: OnPick;
}) {
  const { answer, title, values, onPick } = props;
  const { points, interval, timezone, verdict } = answer;
  if (verdict === 'no_data') {
    return <EmptyCard icon={icons.people} title={t.none} text={t.noneText} />;
  }
  const name = ({ from }: Point) => placeName(placeOf(from, timezone, interval), interval);
  const columns: Column<Point>[] = [
    { label: t.from, show: name, sort: ({ from }) => from },
    ...STATES.map(
      (state): Column<Point> => ({
        label: t.states[state],
        figure: (point) => point[state],
        sort: true,
      }),
    ),
  ];
  const days = points.map(({ from }) => placeOf(from, timezone, interval));
  const pick = (day: string, key: string | undefined) => {
    const point = points[days.indexOf(day)];
    const state = STATES.find((one) => one === key);
    if (!point || !state || point[state] === null || !values) return;
    const what = [t.states[state], ...values, name(point)].join(', ');
    onPick({
      ...{ question: 0, values, title: t.behind(what) },
      figure: { of: 'state', point: point.from, state },
    });
  };
  return (
    <>
      <Card title={title} isRegion>
        <TimeChart
          title={title}
          csvName="lifecycle"
          height={HEIGHT_PX}
          unit={interval}
          days={days}
          onDay={pick}
          actionOf={() => t.clickLine}
          series={STATES.map((state) => ({
            key: state,
            name: t.states[state],
            slot: SLOTS[state],
            values: points.map((point) => point[state]),
          }))}
          format={COUNTS}
          isLastPartial={points.at(-1)?.partial ?? false}
        />
      </Card>
      <TableCard
        title={t.values}
        rows={points.toReversed()}
        keyOf={({ from }) => from}
        columns={columns}
      />
    </>
  );
}

type Node = Paths['steps'][number]['nodes'][number];

export function PathsAnswer({ answer }: { answer: Paths }) {
  const { steps, direction, verdict } = answer;
  if (verdict !== 'ready') {
    const isNone = verdict === 'no_data';
    return (
      <EmptyCard
        icon={icons.retention}
        title={isNone ? t.none : t.few}
        text={isNone ? t.noneText : t.fewText}
      />
    );
  }
  const nameOf = ({ kind, name }: Node): string => {
    if (kind === 'event') return name ?? UNKNOWN;
    return kind === 'rest' ? t.restOf : t.end[direction];
  };
  const columns: Column<Node>[] = [
    {
      label: t.event,
      show: (node) => (
        <span class="path-name">
          <span>{nameOf(node)}</span>
          <Meter share={node.share} paint={node.kind === 'event' ? 1 : 'other'} />
        </span>
      ),
      plain: nameOf,
    },
    { label: t.share, figure: ({ share }) => share, format: rate },
    { label: t.people, figure: ({ people }) => people },
  ];
  return (
    <div class="grid three stretch">
      {steps.map(({ step, nodes }) => (
        <TableCard
          key={step}
          title={t.pathStep[direction](step)}
          rows={nodes}
          keyOf={({ kind, name }) => `${kind} ${name}`}
          columns={columns}
          dense
        />
      ))}
    </div>
  );
}
