import type { MeasuresAnswer, SeriesAnswer } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, locale, shortNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Change } from '../../parts/change.tsx';
import { type ChartSeries, type Format, Swatch, TimeChart } from '../../parts/chart/index.ts';
import type { Comparison } from '../../parts/chart/types.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { bysOf, fieldOf, type Measure, type TrendAsk } from '../../state/ask.ts';
import { measureWords, selectionWords } from '../../state/ask-words.ts';
import { fieldWord, valueWord } from '../../state/condition-words.ts';
import type { Picked } from '../../state/ask-people.ts';
import type { RangeState } from '../../state/range.ts';
import { questions as t } from '../../texts/questions.ts';
import { placeName, placeOf } from '../trends/places.ts';
import type { OnPick } from './behind.tsx';

type Slot = ChartSeries['slot'] & {};
const SLOTS: readonly Slot[] = [1, 2, 3, 4, 5, 6];
const HEIGHT_PX = 340;
/** Pairs of values have more; the table has all. */
const MAX_DRAWN = 7;

type Line = {
  key: string;
  name: string;
  slot: Slot;
  values: readonly (number | null)[];
  before: readonly (number | null)[];
  total: number | null;
  people: number;
  change: number | null;
  of: (Pick<Picked, 'question' | 'values'> & { series: number }) | null;
};

const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const showNumber = (value: number): string => decimal.format(value);

function formatOf(measure: Measure): Format {
  if (measure.of === 'sessionLength') return { show: duration, tick: duration };
  const isCount = ['people', 'events', 'sessions'].includes(measure.of);
  return isCount
    ? { show: exactNumber, tick: shortNumber, isWhole: true, goodWhen: 'up' }
    : { show: showNumber, tick: showNumber };
}

function linesOfSeries(answer: SeriesAnswer, ask: TrendAsk): Line[] {
  const of = ask.measure.of === 'events' ? 'events' : 'people';
  const before = of === 'events' ? 'previousEvents' : 'previousPeople';
  const change = of === 'events' ? 'eventsChange' : 'peopleChange';
  const [first, second] = bysOf(ask.breakdown).map(fieldOf);
  const isBroken = answer.series.length !== ask.series.length || first !== undefined;
  const nameOf = (field: string | undefined, { key, rest }: { key: string; rest?: true }) =>
    rest ? t.rest : valueWord(field ?? '', key);
  return answer.series.map(({ key, rest, crossed, points, totals }, index): Line => {
    const names = [nameOf(first, { key, ...(rest && { rest }) })];
    if (crossed) names.push(nameOf(second, crossed));
    const ofValue = { series: 1, values: [key, ...(crossed ? [crossed.key] : [])] };
    const ofSeries = { series: index + 1, values: [] };
    return {
      key: `${index} ${key}`,
      name: isBroken ? names.join(' · ') : selectionWords(ask.series[index] ?? {}),
      slot: rest ? 'other' : (SLOTS[index] ?? 'other'),
      values: points.map((point) => point[of]),
      before: points.map((point) => point[before] ?? null),
      total: totals[of],
      people: totals.people,
      change: totals[change],
      of: rest || crossed?.rest ? null : { question: 0, ...(isBroken ? ofValue : ofSeries) },
    };
  });
}

const linesOfMeasures = (answers: readonly MeasuresAnswer[], ask: TrendAsk): Line[] =>
  answers.map(
    ({ points, totals }, index): Line => ({
      key: String(index),
      name: selectionWords(ask.series[index] ?? {}),
      slot: SLOTS[index] ?? 'other',
      values: points.map(({ value }) => value),
      before: points.map(({ previousValue }) => previousValue ?? null),
      total: totals.value,
      people: totals.people,
      change: totals.change,
      of: { question: index, series: 1, values: [] },
    }),
  );

const PEOPLE: Column<Line> = {
  label: t.people,
  number: true,
  show: ({ people }) => exactNumber(people),
  plain: ({ people }) => people,
  sort: ({ people }) => people,
};

function columnsOf(ask: TrendAsk, format: Format): Column<Line>[] {
  const show = (value: number | null) => (value === null ? '–' : format.show(value));
  const latest = ({ values }: Line) => values.findLast((value) => value !== null) ?? null;
  return [
    {
      label: bysOf(ask.breakdown).map(fieldOf).map(fieldWord).join(' · ') || t.series,
      show: ({ name, slot }) => (
        <span class="trend-name">
          <Swatch slot={slot} />
          <bdi>{name}</bdi>
        </span>
      ),
      plain: ({ name }) => name,
      sort: ({ name }) => name,
    },
    {
      label: measureWords(ask.measure),
      number: true,
      show: ({ total }) => show(total),
      plain: ({ total }) => total,
      sort: ({ total }) => total,
    },
    ...(ask.measure.of === 'people' ? [] : [PEOPLE]),
    {
      label: t.change,
      number: true,
      show: ({ change }) => <Change value={change} goodWhen={format.goodWhen} />,
      plain: ({ change }) => change,
      sort: ({ change }) => change,
    },
    {
      label: t.latest,
      number: true,
      show: (line) => show(latest(line)),
      plain: latest,
      sort: latest,
    },
  ];
}

export function TrendAnswer(props: {
  ask: TrendAsk;
  answers: readonly (SeriesAnswer | MeasuresAnswer)[];
  range: RangeState;
  isCompared: boolean;
  onPick: OnPick;
}) {
  const { ask, answers, range, isCompared, onPick } = props;
  const [first] = answers;
  if (!first) return null;
  const lines =
    first.kind === 'series'
      ? linesOfSeries(first, ask)
      : linesOfMeasures(
          answers.filter((answer) => answer.kind === 'measures'),
          ask,
        );
  const format = formatOf(ask.measure);
  const { interval, timezone, points } = first;
  const days = points.map(({ from }) => placeOf(from, timezone, interval));
  const [only, second] = lines;
  const drawn = lines.slice(0, MAX_DRAWN);
  const isSeen = lines.some(({ values }) => values.some(Boolean));
  if (!isSeen && lines.every(({ people }) => people === 0)) {
    return (
      <section class="card">
        <Empty icon={icons.trends} title={t.none} text={t.noneText} />
      </section>
    );
  }
  const previous: Comparison | undefined =
    isCompared && only && !second ? { name: t.windowBefore, values: only.before, days } : undefined;
  const pick = (day: string, key: string | undefined) => {
    const line = lines.find((one) => one.key === key) ?? (second ? undefined : only);
    const point = points[days.indexOf(day)]?.from;
    if (!line?.of || point === undefined) return;
    const { series, ...of } = line.of;
    const title = `${line.name}, ${placeName(day, interval)}`;
    onPick({ ...of, figure: { of: 'point', series, point }, title });
  };
  return (
    <>
      <Card title={measureWords(ask.measure)} isRegion>
        {isSeen ? (
          <TimeChart
            title={measureWords(ask.measure)}
            csvName="question"
            height={HEIGHT_PX}
            unit={interval}
            days={days}
            series={drawn.map(({ key, name, slot, values }) => ({ key, name, slot, values }))}
            format={format}
            isLastPartial={points.at(-1)?.partial ?? false}
            onDay={pick}
            actionOf={() => (second ? t.clickLine : t.click)}
            zone={range.timezone}
            {...(previous && { previous })}
          />
        ) : (
          <Empty icon={icons.people} title={t.few} text={t.fewText} />
        )}
      </Card>
      <Card title={t.values} flush>
        <Table
          caption={t.values}
          rows={lines}
          keyOf={({ key }) => key}
          columns={columnsOf(ask, format)}
          sort={{ column: measureWords(ask.measure), isDescending: true }}
        />
      </Card>
    </>
  );
}
