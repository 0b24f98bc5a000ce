import type { Section } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import { PeopleOfPlaces } from '../reading/projection/people-of-places.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { ActivityReader, type ShownValues } from '../reading/projection/activity-reader.ts';
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

function valueReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { values, names, ...asked }: ProjectedSeries & { values: readonly ShownValues[] },
): ActivityReader {
  const has = (section: Section) => isNamed(names, section);
  const wanted = { environment, has, test: compileRowTest(asked), buckets, counts: () => true };
  return new ActivityReader(parts, people, wanted, values);
}

function nameReader(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { name, counted, ...asked }: Omit<ProjectedSeries, 'names'> & { name: string | null },
): ActivityReader {
  return new ActivityReader(parts, people, {
    ...{ environment, buckets },
    has: (section) => isNamed(name === null ? null : [name], section),
    test: compileRowTest(asked),
    isAnything: name === null,
    counts: (part) => at(counted, part),
  });
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
  return new ActivityReader(parts, people, {
    ...{ environment, buckets },
    has: ({ name }) => selections.some((selected) => isOfEvents(selected, name)),
    test: ofAll ? { all: [ofAll, ofAny] } : ofAny,
    isAnything: false,
    counts: () => true,
  });
}

function createReaders(
  share: Share,
  people: PeopleByRange,
  buckets: Buckets,
  question: ProjectedSeries,
): ActivityReader[] {
  const { names, values, selections, ...asked } = question;
  if (selections) {
    return selections.map((selected) =>
      selectedReader(share, people, buckets, { ...question, selections: [selected] }),
    );
  }
  if (values) return [valueReader(share, people, buckets, { ...question, values })];
  return (names ?? [null]).map((name) =>
    nameReader(share, people, buckets, { name, values, selections, ...asked }),
  );
}

export class SeriesCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #readers: ActivityReader[];
  /** Counts each event once; null where no event is in several series. */
  readonly #anySelected: ActivityReader | null;
  readonly #events: Float64Array[];
  readonly #ofPlaces: PeopleOfPlaces;

  constructor(share: Share, question: ProjectedSeries) {
    const buckets = new Buckets(question.boundariesUs);
    this.people = new PeopleByRange(
      share.parts.map(({ projection }) => projection),
      share.ranges,
    );
    this.#readers = createReaders(share, this.people, buckets, question);
    const { selections, ranges } = question;
    this.#anySelected =
      selections && selectedReader(share, this.people, buckets, { ...question, selections });
    this.#events = this.#readers.flatMap(({ events }) => events);
    this.#ofPlaces = new PeopleOfPlaces(this.#events.length, buckets.count, ranges);
  }

  countRange(): void {
    const { capacity, peopleBefore } = this.people;
    this.#ofPlaces.begin(capacity, peopleBefore);
    for (const reader of this.#readers) {
      reader.readRange();
      // At once, while its bits are in the caches.
      this.#ofPlaces.add(reader.activity.ofRange, this.people.people, reader.activity);
    }
    this.#anySelected?.readRange();
    this.#ofPlaces.end(this.people.people);
  }

  countStitched(): void {
    const { stitched } = this.people;
    this.#ofPlaces.begin(stitched);
    for (const { activity } of this.#readers) {
      this.#ofPlaces.add(activity.ofStitched, stitched, activity);
    }
    this.#ofPlaces.end(stitched);
  }

  state(): CountState {
    return {
      sums: [...this.#ofPlaces.sums, ...this.#events, ...(this.#anySelected?.events ?? [])],
      lists: [],
      bits: this.#readers.map(({ activity }) => activity.stitchedBits),
    };
  }

  counts(): { total: SeriesCounts; series: SeriesCounts[] } {
    const series = this.#events.map((events, place) => ({
      events: [...events],
      people: [...this.#ofPlaces.of(place)],
    }));
    const first = at(series, 0);
    const ofAll = this.#anySelected
      ? [...at(this.#anySelected.events, 0)]
      : first.events.map((_, bucket) =>
          series.reduce((sum, one) => sum + at(one.events, bucket), 0),
        );
    return { total: { events: ofAll, people: [...this.#ofPlaces.ofAny] }, series };
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
