import { isReserved, type Section } from '../../event-store/projections.ts';
import { at, must } from '../../shared/assert.ts';
import { type Activity, ActivityReader, PeopleBits } from '../reading/projection/activity.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { CrossedActivityReader } from '../reading/projection/crossed-activity.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import { RangePeople } from '../reading/projection/range-people.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import {
  EventsByValue,
  type ShownValues,
  SplitActivityReader,
} from '../reading/projection/split-activity.ts';
import { compareTexts } from '../selection/condition-match.ts';
import type { Conditions } from '../selection/conditions.ts';
import type { Dimension } from '../selection/dimension.ts';
import { type RowTest, compileRowTest, compileConditions } from '../selection/row-test.ts';
import { isOfEvents, type Selected } from '../selection/selected.ts';
import type { SeriesCounts, SeriesQuestion } from './model.ts';

type Asked = Pick<SeriesQuestion, 'filters' | 'names'> & { where: Conditions | undefined };

export type ProjectedSeries = Asked &
  Pick<SeriesQuestion, 'boundariesUs' | 'ranges'> & {
    /** Parts whose events the catalogue does not count. */
    counted: readonly boolean[];
    /** A series each instead of names, the rest last; of two dimensions each pair. */
    values: readonly ShownValues[] | null;
    /** A series each instead of names; an event may be in several. */
    selections: readonly Selected[] | null;
  };

export type RankedValues = Asked & { rankedBy: Dimension; fromUs: number; beforeUs: number };

type Reader = {
  readRange: () => void;
  activities: readonly Activity[];
  events: readonly Float64Array[];
};

const isOf = (names: readonly string[] | null, { name }: Section): boolean =>
  names === null ? !isReserved(name) : names.includes(name);

function valueReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  {
    values: [first, second],
    names,
    ...asked
  }: ProjectedSeries & {
    values: NonNullable<ProjectedSeries['values']>;
  },
): Reader {
  const has = (section: Section) => isOf(names, section);
  const wanted = { environment, has, test: compileRowTest(asked), buckets };
  const one = must(first, 'a breakdown has a dimension');
  if (second) return new CrossedActivityReader(parts, people, { ...wanted, pair: [one, second] });
  return new SplitActivityReader(parts, people, { ...wanted, ...one });
}

function nameReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { name, counted, ...asked }: Omit<ProjectedSeries, 'names'> & { name: string | null },
): Reader {
  const reader = new ActivityReader(parts, people, buckets.count, {
    ...{ environment, buckets },
    has: (section) => isOf(name === null ? null : [name], section),
    test: compileRowTest(asked),
    isAnything: name === null,
    counts: (part) => at(counted, part),
  });
  return ofOne(reader);
}

const testOfSelected = (selected: Selected): RowTest => ({
  all: [
    { field: 'name', holds: (name) => typeof name === 'string' && isOfEvents(selected, name) },
    ...(selected.where ? [compileConditions(selected.where)] : []),
  ],
});

/** Of events that are in any of the selections. */
function selectedReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  {
    selections,
    ...asked
  }: Omit<ProjectedSeries, 'selections'> & { selections: readonly Selected[] },
): ActivityReader {
  const ofAll = compileRowTest(asked);
  const ofAny = { any: selections.map(testOfSelected) };
  return new ActivityReader(parts, people, buckets.count, {
    ...{ environment, buckets },
    has: ({ name }) => selections.some((selected) => isOfEvents(selected, name)),
    test: ofAll ? { all: [ofAll, ofAny] } : ofAny,
    isAnything: false,
    counts: () => true,
  });
}

const ofOne = (reader: ActivityReader): Reader => ({
  readRange: () => reader.readRange(),
  activities: [reader.activity],
  events: [reader.events],
});

function readersOf(
  share: Share,
  people: PeopleByRange,
  buckets: Buckets,
  question: ProjectedSeries,
): Reader[] {
  const { names, values, selections, ...asked } = question;
  if (selections) {
    return selections.map((selected) =>
      ofOne(selectedReader(share, people, buckets, { ...question, selections: [selected] })),
    );
  }
  if (values) return [valueReader(share, people, buckets, { ...question, values })];
  return (names ?? [null]).map((name) =>
    nameReader(share, people, buckets, { name, values, selections, ...asked }),
  );
}

export class SeriesCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #readers: Reader[];
  /** Counts each event once; null where no event is in several series. */
  readonly #anySelected: ActivityReader | null;
  readonly #activities: Activity[];
  readonly #events: Float64Array[];
  readonly #counters: RangePeople[];
  readonly #ofAll: RangePeople;
  readonly #all: PeopleBits;
  readonly #hasSeveral: boolean;

  constructor(share: Share, question: ProjectedSeries) {
    const buckets = new Buckets(question.boundariesUs);
    this.people = new PeopleByRange(
      share.parts.map(({ projection }) => projection),
      share.ranges,
    );
    this.#readers = readersOf(share, this.people, buckets, question);
    const { selections } = question;
    this.#anySelected =
      selections && selectedReader(share, this.people, buckets, { ...question, selections });
    this.#activities = this.#readers.flatMap(({ activities }) => activities);
    this.#events = this.#readers.flatMap(({ events }) => events);
    this.#hasSeveral = this.#activities.length > 1;
    this.#counters = this.#activities.map(() => new RangePeople(question.ranges));
    this.#ofAll = new RangePeople(question.ranges);
    this.#all = new PeopleBits(buckets.count);
  }

  countRange(): void {
    this.#all.clear(this.people.capacity);
    let index = 0;
    for (const reader of this.#readers) {
      reader.readRange();
      // At once, while its bits are in the caches.
      for (const { ofRange } of reader.activities) {
        this.#addRange(at(this.#counters, index), ofRange);
        index += 1;
      }
    }
    this.#anySelected?.readRange();
    if (this.#hasSeveral) this.#ofAll.add(this.#all, this.people.people);
  }

  #addRange(counter: RangePeople, ofRange: PeopleBits): void {
    const { people } = this.people;
    counter.add(ofRange, people);
    if (this.#hasSeveral) this.#all.add(ofRange, people);
  }

  countStitched(): void {
    const { stitched } = this.people;
    this.#all.clear(stitched);
    for (const [index, { ofStitched }] of this.#activities.entries()) {
      at(this.#counters, index).add(ofStitched, stitched);
      this.#all.add(ofStitched, stitched);
    }
    if (this.#hasSeveral) this.#ofAll.add(this.#all, stitched);
  }

  state(): CountState {
    const { stitched } = this.people;
    return {
      sums: [
        this.#ofAll.people,
        ...this.#counters.map(({ people }) => people),
        ...this.#events,
        ...(this.#anySelected ? [this.#anySelected.events] : []),
      ],
      lists: [],
      bits: this.#activities.map(({ ofStitched }) => ofStitched.of(stitched)),
    };
  }

  counts(): { total: SeriesCounts; series: SeriesCounts[] } {
    const series = this.#events.map((events, index) => ({
      events: [...events],
      people: [...at(this.#counters, index).people],
    }));
    if (!this.#hasSeveral) return { total: at(series, 0), series };
    const events = this.#anySelected
      ? [...this.#anySelected.events]
      : Array.from(at(series, 0).events, (_, bucket) =>
          series.reduce((sum, one) => sum + at(one.events, bucket), 0),
        );
    return { total: { events, people: [...this.#ofAll.people] }, series };
  }
}

/** Counts the events of each value, before the most frequent are known. */
export class ValueCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #values: EventsByValue;

  constructor(
    { parts, environment, ranges }: Share,
    { rankedBy, names, fromUs, beforeUs, ...asked }: RankedValues,
  ) {
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    this.#values = new EventsByValue(parts, this.people, {
      environment,
      has: (section) => isOf(names, section),
      test: compileRowTest(asked),
      by: rankedBy,
      window: { fromUs, beforeUs },
    });
  }

  countRange(): void {
    this.#values.readRange();
  }

  countStitched(): void {}

  state(): CountState {
    return { sums: [this.#values.events], lists: [], bits: [] };
  }

  /** The most frequent first. */
  ranked(): string[] {
    const { events, texts } = this.#values;
    return [...texts.entries()]
      .map(([number, text]) => ({ text, events: events[number] }))
      .filter((one) => one.events > 0)
      .toSorted((a, b) => b.events - a.events || compareTexts(a.text, b.text))
      .map(({ text }) => text);
  }
}

export const seriesCounter: CounterOf<ProjectedSeries | RankedValues> = (share, task) =>
  'rankedBy' in task ? new ValueCounter(share, task) : new SeriesCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    series: ProjectedSeries | RankedValues;
  }
}
