import type { Section } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { type Activity, ActivityReader, PeopleBits } from '../reading/projection/activity.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import { RangePeople } from '../reading/projection/range-people.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { type ShownValues, SplitActivityReader } from '../reading/projection/split-activity.ts';
import type { Conditions } from '../selection/conditions.ts';
import { type RowTest, compileRowTest, compileConditions } from '../selection/row-test.ts';
import { isOfEvents, type Selected } from '../selection/selected.ts';
import type { QueryRun } from '../reading/run.ts';
import type { SeriesAnswer, SeriesCounts, SeriesQuestion } from './model.ts';

type Asked = Pick<SeriesQuestion, 'filters' | 'names'> & { where: Conditions | undefined };

export type ProjectedSeries = Asked &
  Pick<SeriesQuestion, 'boundariesUs' | 'ranges'> & {
    /** Parts whose events the catalogue does not count. */
    counted: readonly boolean[];
    values: readonly ShownValues[] | null;
    selections: readonly Selected[] | null;
  };

type Reader = {
  readRange: () => void;
  activity: Activity;
  events: readonly Float64Array[];
};

function valueReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { values, names, ...asked }: ProjectedSeries & { values: readonly ShownValues[] },
): Reader {
  const has = (section: Section) => isNamed(names, section);
  const wanted = { environment, has, test: compileRowTest(asked), buckets };
  return new SplitActivityReader(parts, people, wanted, values);
}

function nameReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { name, counted, ...asked }: Omit<ProjectedSeries, 'names'> & { name: string | null },
): Reader {
  const reader = new ActivityReader(parts, people, buckets.count, {
    ...{ environment, buckets },
    has: (section) => isNamed(name === null ? null : [name], section),
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
  activity: reader.activity,
  events: [reader.events],
});

function createReaders(
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
    this.#readers = createReaders(share, this.people, buckets, question);
    const { selections } = question;
    this.#anySelected =
      selections && selectedReader(share, this.people, buckets, { ...question, selections });
    this.#events = this.#readers.flatMap(({ events }) => events);
    this.#hasSeveral = this.#events.length > 1;
    this.#counters = this.#events.map(() => new RangePeople(question.ranges));
    this.#ofAll = new RangePeople(question.ranges);
    this.#all = new PeopleBits(buckets.count);
  }

  countRange(): void {
    this.#all.clear(this.people.capacity, this.people.peopleBefore);
    let first = 0;
    for (const reader of this.#readers) {
      reader.readRange();
      // At once, while its bits are in the caches.
      const { ofRange, places } = reader.activity;
      this.#add(ofRange, this.people.people, { first, places });
      first += places;
    }
    this.#anySelected?.readRange();
    if (this.#hasSeveral) this.#ofAll.add(this.#all, this.people.people);
  }

  #add(bits: PeopleBits, people: number, { first, places }: { first: number; places: number }) {
    for (let place = 0; place < places; place += 1) {
      at(this.#counters, first + place).add(bits, people, { first: place, step: places });
    }
    if (this.#hasSeveral) this.#all.add(bits, people, places);
  }

  countStitched(): void {
    const { stitched } = this.people;
    this.#all.clear(stitched);
    let first = 0;
    for (const { activity } of this.#readers) {
      this.#add(activity.ofStitched, stitched, { first, places: activity.places });
      first += activity.places;
    }
    if (this.#hasSeveral) this.#ofAll.add(this.#all, stitched);
  }

  state(): CountState {
    return {
      sums: [
        this.#ofAll.people,
        ...this.#counters.map(({ people }) => people),
        ...this.#events,
        ...(this.#anySelected ? [this.#anySelected.events] : []),
      ],
      lists: [],
      bits: this.#readers.map(({ activity }) => activity.stitchedBits),
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

type Counts = ReturnType<SeriesCounter['counts']>;

export function startCounting(
  { source }: Pick<QueryRun, 'source'>,
  { boundariesUs, ranges, names, filters, where }: SeriesQuestion,
  share: Share,
  apart: Partial<Pick<ProjectedSeries, 'counted' | 'selections' | 'values'>>,
  toFigures: (counts: Counts) => Omit<SeriesAnswer, 'dataThroughMs'>,
) {
  const everything = { counted: share.parts.map(() => true), values: null, selections: null };
  const task = { boundariesUs, ranges, names, filters, where, ...everything, ...apart };
  const counter = new SeriesCounter(share, task);
  const answer = (): SeriesAnswer => ({
    dataThroughMs: source.dataThroughMs,
    ...toFigures(counter.counts()),
  });
  return { counter, task: { kind: 'series' as const, question: task }, answer };
}

export const seriesCounter: CounterOf<ProjectedSeries> = (share, task) =>
  new SeriesCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    series: ProjectedSeries;
  }
}
