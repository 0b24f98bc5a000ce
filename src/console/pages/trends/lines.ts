import type { MeasuresAnswer, SeriesAnswer } from '../../../../clients/api/src/index.ts';
import { STEPS_BACK } from '../../parts/chart/days.ts';
import { SLOTS } from '../../parts/chart/slots.ts';
import type { Figure, Slot } from '../../parts/chart/types.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import type { Picked } from '../../state/ask-people.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { bysOf, fieldOf, type TrendAsk } from '../../state/ask.ts';
import { valueWord } from '../../state/condition-words.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { REST, valueLabel } from '../../state/sent-values.ts';
import { trends as t } from '../../texts/trends.ts';
import { lastDayOf, placeOf, shifted } from './places.ts';
import type { Asked } from './queries.ts';

/** Whose people a point of a line has. */
type Source = Pick<Picked, 'question' | 'values'> & { series: number };

export type Line = {
  key: string;
  name: string;
  slot: Slot;
  /** Undefined where nobody can ask for them. */
  source: Source | undefined;
  values: readonly Figure[];
  before: readonly Figure[];
  peopleAt: readonly Figure[];
  total: Figure;
  people: Figure;
  change: Figure;
  /** Earlier places are of fewer days. */
  comparableFrom?: number;
};

export type Lines = {
  places: readonly string[];
  starts: readonly string[];
  placesBefore: readonly string[];
  finished: number;
  lines: readonly Line[];
};

const ALL = 'all';

type Part = Omit<Line, 'slot' | 'comparableFrom'>;
type Figures = Pick<SeriesAnswer, 'points' | 'totals'>;
type Figured = Omit<Part, 'key' | 'name' | 'source'>;

function figuresOf({ points, totals }: Figures, of: 'people' | 'events'): Figured {
  const before = of === 'events' ? 'previousEvents' : 'previousPeople';
  return {
    values: points.map((point) => point[of]),
    before: points.map((point) => point[before] ?? null),
    peopleAt: points.map(({ people }) => people),
    total: totals[of],
    people: totals.people,
    change: of === 'events' ? totals.eventsChange : totals.peopleChange,
  };
}

export function namesOf({ series }: TrendAsk): { key: string; name: string }[] {
  const names = series.map((one) =>
    Object.keys(one).length > 0 ? selectionWords(one) : t.anyEvent,
  );
  return names.map((name, index) => ({
    key: names.indexOf(name) < index ? `${name} ${index}` : name,
    name,
  }));
}

function partsOfSeries(answer: SeriesAnswer, ask: TrendAsk): Part[] {
  const of = ask.measure.of === 'events' ? 'events' : 'people';
  const [field] = bysOf(ask.breakdown);
  const names = namesOf(ask);
  if (names.length < 2 && field === undefined) {
    const source = { question: 0, series: 1, values: [] };
    return [{ ...{ key: ALL, name: t.anyEvent }, ...names[0], source, ...figuresOf(answer, of) }];
  }
  if (field === undefined || names.length > 1) {
    return answer.series.map(({ key, ...figures }, index) => {
      const source = { question: 0, series: index + 1, values: [] };
      return { key, name: key, ...names[index], source, ...figuresOf(figures, of) };
    });
  }
  return partsByValue(answer.series, ask, (one) => figuresOf(one, of));
}

type OfValue = Pick<SeriesAnswer['series'][number], 'key' | 'rest' | 'crossed'>;

function partsByValue<T extends OfValue>(
  series: readonly T[],
  { breakdown }: TrendAsk,
  figures: (one: T) => Figured,
): Part[] {
  const [field = '', second = ''] = bysOf(breakdown).map(fieldOf);
  return series.map((value): Part => {
    const { key, rest, crossed } = value;
    const wordOf = (by: string, one: { key: string; rest?: true }) =>
      one.rest
        ? t.other
        : one.key === 'unknown'
          ? valueLabel('platform', one.key)
          : valueWord(by, one.key);
    const own = wordOf(field, { key, ...(rest && { rest }) });
    const pair = crossed ? [key, crossed.key] : [key];
    return {
      key: rest || crossed?.rest ? `${REST}${pair}` : pair.join('\n'),
      name: crossed ? `${own} · ${wordOf(second, crossed)}` : own,
      source: rest || crossed?.rest ? undefined : { question: 0, series: 1, values: pair },
      ...figures(value),
    };
  });
}

const measured = ({ points, totals }: Pick<MeasuresAnswer, 'points' | 'totals'>): Figured => ({
  values: points.map(({ value }) => value),
  before: points.map(({ previousValue }) => previousValue ?? null),
  peopleAt: [],
  total: totals.value,
  people: totals.people,
  change: totals.change,
});

const partsOfMeasures = (answers: readonly MeasuresAnswer[], ask: TrendAsk): Part[] =>
  answers.flatMap((answer, index): Part[] =>
    answer.series
      ? partsByValue(answer.series, ask, measured)
      : [
          {
            ...{ key: ALL, name: t.anyEvent, ...namesOf(ask)[index] },
            source: { question: index, series: 1, values: [] },
            ...measured(answer),
          },
        ],
  );

const partsOf = ({ ask, first, others }: Asked): Part[] =>
  first.kind === 'series' ? partsOfSeries(first, ask) : partsOfMeasures([first, ...others], ask);

/** The first day of an app: nothing before it is over. */
export function runningOf({ first }: Pick<Asked, 'first'>) {
  if (first.kind !== 'series') return undefined;
  const last = first.points.at(-1);
  return first.totals.people === 0 && last?.partial && last.people > 0 ? last : undefined;
}

export function linesOf(asked: Asked, firstDay: string | null): Lines {
  const { ask, first } = asked;
  const { interval, timezone } = first;
  const starts = first.points.map(({ from }) => from);
  const places = starts.map((from) => placeOf(from, timezone, interval));
  const finished = first.points.filter(({ partial }) => !partial).length;
  const placesBefore = places
    .map((place) => shifted(place, interval, -finished))
    .slice(0, finished);
  const parts = partsOf(asked);
  const isRunning = runningOf(asked) !== undefined;
  const named = parts.filter(({ source }) => source).map(({ key }) => key);
  const versions = ask.breakdown === VERSION ? versionSlots(named) : undefined;
  const known = (value: Figure | undefined, place: string | undefined): Figure => {
    const isKnown =
      place !== undefined && (firstDay === null || lastDayOf(place, interval) >= firstDay);
    return isKnown ? (value ?? null) : null;
  };
  return {
    ...{ places, starts, placesBefore, finished },
    lines: parts.map(
      (part): Line => ({
        ...part,
        // Versions by their order, all else by place.
        slot:
          (part.source && (versions?.get(part.key) ?? SLOTS[named.indexOf(part.key)])) ?? 'other',
        values: part.values.map((value, index) => known(value, places[index])),
        before: part.before
          .slice(0, finished)
          .map((value, index) => known(value, placesBefore[index])),
        total: isRunning ? (part.values.at(-1) ?? 0) : part.total,
      }),
    ),
  };
}

export type Course = {
  mean: Figure;
  highest: { value: number; index: number } | null;
  latest: Figure;
  earlier: Figure;
};

export function courseOf(
  {
    values,
    before,
    comparableFrom = -before.length,
  }: Pick<Line, 'values' | 'before' | 'comparableFrom'>,
  finished: number,
  stepsBack: number = STEPS_BACK.day,
): Course {
  const over = values.slice(0, finished);
  const known = over.filter((value) => value !== null);
  const value = known.length > 0 ? Math.max(...known) : null;
  const all = [...before, ...over];
  const back = all.length - 1 - stepsBack;
  return {
    mean: known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : null,
    highest: value === null ? null : { value, index: over.lastIndexOf(value) },
    latest: over.at(-1) ?? null,
    earlier: back - before.length < comparableFrom ? null : (all[back] ?? null),
  };
}
