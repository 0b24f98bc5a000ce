import { isReserved, type Section } from '../../event-store/read.ts';
import { at, outside } from '../../shared/assert.ts';
import { ActivityReader, type PeopleBits } from '../projection/activity.ts';
import { Buckets } from '../projection/buckets.ts';
import { Pace } from '../projection/pace.ts';
import type { Part } from '../projection/parts.ts';
import { PeopleByRange } from '../projection/people.ts';
import type { EventSource } from '../source.ts';
import { MAX_RETENTION_BUCKETS, type RetentionAnswer, type RetentionQuestion } from './model.ts';

/** The bit after those of intervals: what came before them all. */
const BEFORE_BIT = MAX_RETENTION_BUCKETS;
const BITS = MAX_RETENTION_BUCKETS + 1;
const NONE = -1;

/** The lowest of 64 bits, in two halves. */
function lowest(low: number, high: number): number {
  if (low !== 0) return 31 - Math.clz32(low & -low);
  return high === 0 ? NONE : 63 - Math.clz32(high & -high);
}

function highest(low: number, high: number): number {
  return high !== 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(low);
}

const has = (low: number, high: number, bit: number): boolean =>
  ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 1;

/** Counts cohorts, and who of them came back when. */
class CohortCounter {
  people = 0;
  readonly cohorts: RetentionAnswer['cohorts'];
  readonly #question: RetentionQuestion;

  constructor(question: RetentionQuestion) {
    this.#question = question;
    this.cohorts = Array.from({ length: question.cohorts }, () => ({
      size: 0,
      returned: Array.from({ length: question.periods }, () => 0),
    }));
  }

  add(starts: PeopleBits, returns: PeopleBits, people: number): void {
    const { cohort } = this.#question;
    for (let person = 0; person < people; person += 1) {
      const [low, high] = [starts.word(person, 0), starts.word(person, 1)];
      if ((low | high) === 0) continue;
      const [back, backHigh] = [returns.word(person, 0), returns.word(person, 1)];
      const isIn =
        cohort === 'first'
          ? this.#addFirst(low, high, back, backHigh)
          : this.#addEach(low, high, back, backHigh);
      if (isIn) this.people += 1;
    }
  }

  /** To the cohort of the first event ever. */
  #addFirst(low: number, high: number, back: number, backHigh: number): boolean {
    if (has(low, high, BEFORE_BIT)) return false;
    const cohort = lowest(low, high);
    if (cohort >= this.#question.cohorts) return false;
    this.#addTo(cohort, back, backHigh);
    return true;
  }

  /** To the cohort of each interval with an event. */
  #addEach(low: number, high: number, back: number, backHigh: number): boolean {
    let isIn = false;
    for (let cohort = 0; cohort < this.#question.cohorts; cohort += 1) {
      if (!has(low, high, cohort)) continue;
      this.#addTo(cohort, back, backHigh);
      isIn = true;
    }
    return isIn;
  }

  #addTo(cohort: number, low: number, high: number): void {
    const { criterion, periods } = this.#question;
    const group = at(this.cohorts, cohort);
    group.size += 1;
    // Without what came before all intervals, which is no return.
    const returned = high & ~(1 << (BEFORE_BIT - 32));
    const last = highest(low, returned);
    for (let period = 1; period <= periods; period += 1) {
      const bucket = cohort + period;
      if (bucket > last) return;
      if (criterion === 'on' && !has(low, returned, bucket)) continue;
      group.returned[period - 1] = (group.returned[period - 1] ?? outside()) + 1;
    }
  }
}

/** Which sections an event of a cohort or a return may be in. */
function sectionsOf({ startName, returnName }: RetentionQuestion, name: string | null) {
  const isOfClients = startName === null || returnName === null;
  return (section: Section): boolean =>
    (name === null || section.name === name) && !(isOfClients && isReserved(section.name));
}

/** Retention by intervals of the calendar, from projections. */
export async function countProjected(
  parts: readonly Part[],
  source: EventSource,
  question: RetentionQuestion,
  checkTime: () => void,
): Promise<Omit<RetentionAnswer, 'dataThroughMs'>> {
  const { boundariesUs, cohort, startName, returnName } = question;
  const buckets = new Buckets(boundariesUs, cohort === 'first' ? BEFORE_BIT : undefined);
  const people = new PeopleByRange(
    parts.map(({ projection }) => projection),
    source.lateAliases,
  );
  const readerOf = (name: string | null) =>
    new ActivityReader(parts, people, BITS, {
      source,
      buckets,
      has: sectionsOf(question, name),
      isAnything: name === null,
    });
  const starts = readerOf(startName);
  const returns = startName === returnName ? starts : readerOf(returnName);
  const counter = new CohortCounter(question);
  const pace = new Pace(checkTime);
  while (people.next()) {
    starts.readRange();
    if (returns !== starts) returns.readRange();
    counter.add(starts.activity.ofRange, returns.activity.ofRange, people.people);
    await pace.turn();
  }
  counter.add(starts.activity.ofStitched, returns.activity.ofStitched, people.stitched);
  return { people: counter.people, cohorts: counter.cohorts };
}
