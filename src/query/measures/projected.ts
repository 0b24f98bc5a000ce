import { at, must } from '../../shared/assert.ts';
import { Buckets, OUTSIDE } from '../reading/projection/buckets.ts';
import { ABSENT, PeopleByRange, type Slice } from '../reading/projection/people.ts';
import { PeopleOfPlaces } from '../reading/projection/people-of-places.ts';
import { RowNumbers } from '../reading/projection/row-numbers.ts';
import { CHUNK_ROWS } from '../reading/projection/rows.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { Activity } from '../reading/projection/activity.ts';
import {
  ActivityReader,
  countPlaces,
  openPlaced,
  type PlacedRows,
  RowPlaces,
  type ShownValues,
} from '../reading/projection/activity-reader.ts';
import { BucketedRows } from '../reading/projection/value-events.ts';
import { compileRowTest } from '../selection/row-test.ts';
import { quantileShare } from './figures.ts';
import { isOfEvents, type MeasuresQuestion } from './model.ts';
import { PersonValues } from './person-values.ts';
import { ValueSums, type ValuesOfSlots } from './value-sums.ts';

export type ProjectedMeasures = MeasuresQuestion & { values: readonly ShownValues[] };

type Reading = { share: Share; people: PeopleByRange; buckets: Buckets };

const toWanted = ({ share, buckets }: Reading, question: ProjectedMeasures) => ({
  ...{ environment: share.environment, buckets },
  has: ({ name }: { name: string }) => isNamed(question.names, { name }),
  test: compileRowTest(question),
  counts: () => true,
});

type Track = PlacedRows & { numbers: RowNumbers };

/** Measures of a property: rows that have a number as it, with their person. */
class NumberReader {
  readonly activity: Activity;
  readonly sums: ValueSums;
  readonly #ofPeople: PersonValues | null;
  readonly #people: PeopleByRange;
  readonly #tracks: readonly Track[];
  readonly #rows: BucketedRows;
  readonly #places = new RowPlaces();
  readonly #values = new Float64Array(CHUNK_ROWS);
  readonly #width: number;

  constructor(reading: Reading, question: ProjectedMeasures) {
    const { share, people, buckets } = reading;
    const { measure, values } = question;
    const prop = measure.of === 'property' ? measure.property : '';
    const isOfPeople = measure.of === 'property' && measure.per === 'person';
    const places = countPlaces(values);
    this.activity = new Activity(buckets.count, people.stitched, places);
    this.#ofPeople = isOfPeople ? new PersonValues(question, places) : null;
    this.sums = new ValueSums(
      this.#ofPeople?.slots ?? places * buckets.count,
      quantileShare(measure) !== null,
    );
    this.#people = people;
    this.#rows = new BucketedRows(buckets);
    this.#width = buckets.count;
    const opened = openPlaced(share.parts, people, toWanted(reading, question), values);
    this.#tracks = opened.flatMap((track) => {
      const numbers = RowNumbers.of(track.section, prop);
      return numbers ? [{ ...track, numbers }] : [];
    });
  }

  readRange(): void {
    this.activity.clearRange(this.#people);
    for (const track of this.#tracks) this.#read(track);
    this.#ofPeople?.addRange(this.sums, this.#people.people);
  }

  #read({ slice, reader, matcher, bucket, numbers, values }: Track): void {
    const { rows } = this.#rows;
    for (;;) {
      const count = this.#rows.read(reader, slice, bucket);
      if (count === 0) return;
      numbers.read(rows, count, this.#values);
      this.#places.read(values, rows, count);
      this.#add(slice, this.#keep(count, matcher?.match(rows, count) ?? null));
    }
  }

  /** Moves rows that count to the front. */
  #keep(count: number, passes: Uint8Array | null): number {
    const [values, { places }, { rows, buckets }] = [this.#values, this.#places, this.#rows];
    const { entries } = rows;
    let kept = 0;
    for (let row = 0; row < count; row += 1) {
      if (Number.isNaN(values[row]) || buckets[row] === OUTSIDE) continue;
      if (passes !== null && passes[row] === 0) continue;
      values[kept] = values[row];
      places[kept] = places[row];
      buckets[kept] = buckets[row];
      entries[kept] = entries[row];
      kept += 1;
    }
    return kept;
  }

  #add(slice: Slice, count: number): void {
    const [values, { places }, { rows, buckets }] = [this.#values, this.#places, this.#rows];
    const { entries } = rows;
    this.#people.fetch(slice, entries, count);
    for (let row = 0; row < count; row += 1) {
      const person = this.#people.personOf(slice, entries[row]);
      this.activity.markAt(person, places[row], buckets[row]);
      const slot = places[row] * this.#width + buckets[row];
      if (this.#ofPeople === null) this.sums.add(slot, values[row]);
      else if (person !== ABSENT) this.#ofPeople.add(person, slot, values[row]);
    }
  }

  countStitched(): void {
    this.#ofPeople?.addStitched(this.sums, this.#people.stitched);
  }

  get lists() {
    return [...(this.#ofPeople?.lists ?? []), ...this.sums.lists];
  }

  of(range: number, { ranges, values }: ProjectedMeasures, place: number | null): ValuesOfSlots {
    if (this.#ofPeople) return this.sums.of([this.#ofPeople.slotOf(range, place)]);
    const [from, before] = at(ranges, range);
    const places = place === null ? Array.from({ length: countPlaces(values) }).keys() : [place];
    return this.sums.of(
      [...places].flatMap((one) =>
        Array.from({ length: Math.max(0, before - from) }, (_, n) => one * this.#width + from + n),
      ),
    );
  }
}

export type MeasuredRange = ValuesOfSlots & { people: number };

export class MeasureCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #question: ProjectedMeasures;
  readonly #numbers: NumberReader | null;
  readonly #events: ActivityReader | null;
  readonly #ofPlaces: PeopleOfPlaces;

  constructor(share: Share, question: ProjectedMeasures) {
    const buckets = new Buckets(question.boundariesUs);
    this.#question = question;
    this.people = new PeopleByRange(
      share.parts.map(({ projection }) => projection),
      share.ranges,
    );
    const reading = { share, people: this.people, buckets };
    const isOfProperty = question.measure.of === 'property';
    this.#numbers = isOfProperty ? new NumberReader(reading, question) : null;
    this.#events = isOfProperty
      ? null
      : new ActivityReader(
          share.parts,
          this.people,
          { ...toWanted(reading, question), countsNobody: isOfEvents(question.measure) },
          question.values,
        );
    const places = countPlaces(question.values);
    this.#ofPlaces = new PeopleOfPlaces(places, buckets.count, question.ranges);
  }

  get #reader(): NumberReader | ActivityReader {
    return must(this.#numbers ?? this.#events, 'a measure is of numbers or of events');
  }

  countRange(): void {
    const { activity } = this.#reader;
    const { capacity, peopleBefore } = this.people;
    this.#reader.readRange();
    this.#ofPlaces.begin(capacity, peopleBefore);
    this.#ofPlaces.add(activity.ofRange, this.people.people, activity);
    this.#ofPlaces.end(this.people.people);
  }

  countStitched(): void {
    this.#numbers?.countStitched();
    const { activity } = this.#reader;
    const { stitched } = this.people;
    this.#ofPlaces.begin(stitched);
    this.#ofPlaces.add(activity.ofStitched, stitched, activity);
    this.#ofPlaces.end(stitched);
  }

  state(): CountState {
    return {
      sums: [
        ...this.#ofPlaces.sums,
        ...(this.#numbers?.sums.sums ?? []),
        ...(this.#events?.events ?? []),
      ],
      lists: this.#numbers?.lists ?? [],
      bits: [this.#reader.activity.stitchedBits],
    };
  }

  measured(place: number | null): MeasuredRange[] {
    const { ranges } = this.#question;
    const ofPlace = place === null ? this.#ofPlaces.ofAny : this.#ofPlaces.of(place);
    return ranges.map(([from, before], range) => {
      const people = ofPlace[range];
      if (this.#numbers) return { people, ...this.#numbers.of(range, this.#question, place) };
      const events = must(this.#events, 'a measure is of numbers or of events').events;
      const own = place === null ? events : [at(events, place)];
      const count = own.reduce(
        (sum, one) => one.subarray(from, before).reduce((total, n) => total + n, sum),
        0,
      );
      return { ...NO_VALUES, people, count };
    });
  }
}

const NO_VALUES = { sum: 0, minimum: Infinity, maximum: -Infinity, values: new Float64Array(0) };

export const measureCounter: CounterOf<ProjectedMeasures> = (share, task) =>
  new MeasureCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    measures: ProjectedMeasures;
  }
}
