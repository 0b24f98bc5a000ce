import type { Section } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import { PeopleOfPlaces } from '../reading/projection/people-of-places.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import {
  ActivityReader,
  type ShownValues,
  type Wanted,
} from '../reading/projection/activity-reader.ts';
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

const testOfSelected = (selected: Selected): RowTest => ({
  all: [
    { field: 'name', holds: (name) => typeof name === 'string' && isOfEvents(selected, name) },
    ...(selected.where ? [compileConditions(selected.where)] : []),
  ],
});

type Readers = { each: readonly ActivityReader[]; any: ActivityReader | null };

function openReaders(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  question: ProjectedSeries,
): Readers {
  const { names, values, selections, counted } = question;
  const test = compileRowTest(question);
  const open = (wanted: Omit<Wanted, 'buckets' | 'environment'>, shown?: readonly ShownValues[]) =>
    new ActivityReader(
      parts,
      people,
      { environment, buckets, counts: () => true, ...wanted },
      shown,
    );
  if (selections) {
    const ofAny = (some: readonly Selected[]) => {
      const any = { any: some.map(testOfSelected) };
      const has = ({ name }: Section) => some.some((selected) => isOfEvents(selected, name));
      return open({ has, test: test ? { all: [test, any] } : any });
    };
    return { each: selections.map((selected) => ofAny([selected])), any: ofAny(selections) };
  }
  if (values) {
    return { each: [open({ has: (section) => isNamed(names, section), test }, values)], any: null };
  }
  const each = (names ?? [null]).map((name) =>
    open({
      has: (section) => isNamed(name === null ? null : [name], section),
      ...{ test, isAnything: name === null },
      counts: (part) => at(counted, part),
    }),
  );
  return { each, any: null };
}

export class SeriesCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #readers: readonly ActivityReader[];
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
    const { each, any } = openReaders(share, this.people, buckets, question);
    this.#readers = each;
    this.#anySelected = any;
    this.#events = this.#readers.flatMap(({ events }) => events);
    this.#ofPlaces = new PeopleOfPlaces(this.#events.length, buckets.count, question.ranges);
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
