import type { Section } from '../../event-store/projections.ts';
import { at, must } from '../../shared/assert.ts';
import { Activity, ActivityReader } from '../reading/projection/activity.ts';
import { BucketedRows } from '../reading/projection/bucketed-rows.ts';
import { Buckets, OUTSIDE } from '../reading/projection/buckets.ts';
import { ABSENT, PeopleByRange, type Slice } from '../reading/projection/people.ts';
import { RangePeople } from '../reading/projection/range-people.ts';
import { RowNumbers } from '../reading/projection/row-numbers.ts';
import { CHUNK_ROWS } from '../reading/projection/rows.ts';
import { isNamed, type SectionRows, wantedSections } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { compileRowTest } from '../selection/row-test.ts';
import { quantileShare } from './figures.ts';
import { isOfEvents, type MeasuresQuestion } from './model.ts';
import { PersonValues } from './person-values.ts';
import { ValueSums, type ValuesOfSlots } from './value-sums.ts';

type Track = SectionRows & { slice: Slice; bucket: number | null; numbers: RowNumbers };

function openTracks(
  { parts, environment }: Share,
  people: PeopleByRange,
  buckets: Buckets,
  { prop, ...question }: MeasuresQuestion & { prop: string },
): Track[] {
  const has = (section: Section) => isNamed(question.names, section);
  const wanted = { environment, has, test: compileRowTest(question) };
  return parts.flatMap((part, index) =>
    wantedSections(part, wanted).flatMap((rows) => {
      const numbers = RowNumbers.of(rows.section, prop);
      const bucket = part.file && buckets.ofFile(part.file);
      if (numbers === null || bucket === OUTSIDE) return [];
      return [{ ...rows, numbers, bucket, slice: at(people.slices, index) }];
    }),
  );
}

/** Measures of a property: rows that have a number as it, with their person. */
class NumberReader {
  readonly activity: Activity;
  readonly sums: ValueSums;
  readonly #ofPeople: PersonValues | null;
  readonly #people: PeopleByRange;
  readonly #tracks: readonly Track[];
  readonly #rows: BucketedRows;
  readonly #values = new Float64Array(CHUNK_ROWS);

  constructor(share: Share, people: PeopleByRange, buckets: Buckets, question: MeasuresQuestion) {
    const { measure, ranges } = question;
    const prop = measure.of === 'property' ? measure.property : '';
    const isOfPeople = measure.of === 'property' && measure.per === 'person';
    const keepsValues = quantileShare(measure) !== null;
    this.activity = new Activity(buckets.count, people.stitched);
    this.sums = new ValueSums(isOfPeople ? ranges.length : buckets.count, keepsValues);
    this.#ofPeople = isOfPeople ? new PersonValues(question) : null;
    this.#people = people;
    this.#rows = new BucketedRows(buckets);
    this.#tracks = openTracks(share, people, buckets, { ...question, prop });
  }

  readRange(): void {
    this.activity.clearRange(this.#people);
    this.#ofPeople?.clear();
    for (const track of this.#tracks) this.#read(track);
    this.#ofPeople?.addTo(this.sums, this.#people.people);
  }

  #read({ slice, reader, matcher, bucket, numbers }: Track): void {
    const { rows } = this.#rows;
    for (;;) {
      const count = this.#rows.read(reader, slice, bucket);
      if (count === 0) return;
      numbers.read(rows, count, this.#values);
      this.#add(slice, this.#keep(count, matcher?.match(rows, count) ?? null));
    }
  }

  /** Moves rows that count to the front. */
  #keep(count: number, passes: Uint8Array | null): number {
    const [values, { rows, buckets }] = [this.#values, this.#rows];
    const { entries } = rows;
    let kept = 0;
    for (let row = 0; row < count; row += 1) {
      if (Number.isNaN(values[row]) || buckets[row] === OUTSIDE) continue;
      if (passes !== null && passes[row] === 0) continue;
      values[kept] = values[row];
      buckets[kept] = buckets[row];
      entries[kept] = entries[row];
      kept += 1;
    }
    return kept;
  }

  #add(slice: Slice, count: number): void {
    const [values, { rows, buckets }] = [this.#values, this.#rows];
    const { entries } = rows;
    this.#people.fetch(slice, entries, count);
    for (let row = 0; row < count; row += 1) {
      const person = this.#people.personOf(slice, entries[row]);
      this.activity.mark(person, buckets[row]);
      if (this.#ofPeople && person === ABSENT) continue;
      if (this.#ofPeople) this.#ofPeople.add(person, buckets[row], values[row]);
      else this.sums.add(buckets[row], values[row]);
    }
  }

  countStitched(): void {
    this.#ofPeople?.takeStitched();
    this.#ofPeople?.addTo(this.sums, this.#people.stitched);
  }

  get lists() {
    return [...(this.#ofPeople?.lists ?? []), ...this.sums.lists];
  }
}

export type MeasuredRange = ValuesOfSlots & { people: number };

export class MeasureCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #question: MeasuresQuestion;
  readonly #numbers: NumberReader | null;
  readonly #events: ActivityReader | null;
  readonly #rangePeople: RangePeople;

  constructor(share: Share, question: MeasuresQuestion) {
    const buckets = new Buckets(question.boundariesUs);
    this.#question = question;
    this.people = new PeopleByRange(
      share.parts.map(({ projection }) => projection),
      share.ranges,
    );
    const isOfProperty = question.measure.of === 'property';
    this.#numbers = isOfProperty ? new NumberReader(share, this.people, buckets, question) : null;
    this.#events = isOfProperty
      ? null
      : new ActivityReader(share.parts, this.people, buckets.count, {
          ...{ environment: share.environment, buckets, isAnything: question.names === null },
          has: (section) => isNamed(question.names, section),
          test: compileRowTest(question),
          counts: () => true,
          countsNobody: isOfEvents(question.measure),
        });
    this.#rangePeople = new RangePeople(question.ranges);
  }

  get #reader(): NumberReader | ActivityReader {
    return must(this.#numbers ?? this.#events, 'a measure is of numbers or of events');
  }

  countRange(): void {
    this.#reader.readRange();
    this.#rangePeople.add(this.#reader.activity.ofRange, this.people.people);
  }

  countStitched(): void {
    this.#numbers?.countStitched();
    this.#rangePeople.add(this.#reader.activity.ofStitched, this.people.stitched);
  }

  state(): CountState {
    const { people } = this.#rangePeople;
    return {
      sums: this.#numbers
        ? [people, ...this.#numbers.sums.sums]
        : [people, ...(this.#events ? [this.#events.events] : [])],
      lists: this.#numbers?.lists ?? [],
      bits: [this.#reader.activity.stitchedBits],
    };
  }

  measured(): MeasuredRange[] {
    const { measure, ranges } = this.#question;
    const isOfPeople = measure.of === 'property' && measure.per === 'person';
    return ranges.map(([from, before], range) => {
      const people = at(this.#rangePeople.people, range);
      if (this.#events) {
        const count = this.#events.events.subarray(from, before).reduce((sum, one) => sum + one, 0);
        return { ...NO_VALUES, people, count };
      }
      const { sums } = must(this.#numbers, 'a measure is of numbers or of events');
      return { people, ...(isOfPeople ? sums.of(range, range + 1) : sums.of(from, before)) };
    });
  }
}

const NO_VALUES = { sum: 0, minimum: Infinity, maximum: -Infinity, values: new Float64Array(0) };

export const measureCounter: CounterOf<MeasuresQuestion> = (share, task) =>
  new MeasureCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    measures: MeasuresQuestion;
  }
}
