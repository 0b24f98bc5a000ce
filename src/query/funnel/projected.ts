import { isReserved } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import type { PeopleBits } from '../reading/projection/activity.ts';
import { ActivityReader } from '../reading/projection/activity-reader.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import type { Held } from '../reading/projection/held.ts';
import { Numbers } from '../reading/projection/numbers.ts';
import { ABSENT, PeopleByRange, type Slice } from '../reading/projection/people.ts';
import { CHUNK_ROWS, RowBuffer, SectionReader } from '../reading/projection/rows.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { inScope, isInside } from '../reading/source/files.ts';
import { EntryCodes, LEFT_OUT, readCodes, type SectionCodes } from './entry-codes.ts';
import { FunnelFold } from './fold.ts';
import type { FunnelAnswer } from './model.ts';
import { toBreakdown, MAX_COUNTED_VALUES, Outcomes } from './outcomes.ts';
import { type CountedPaths, PathTally } from './path-tally.ts';
import type { FunnelPlan } from './plan.ts';
import { type CodedEvents, isKeptStart, StepEvents, withCode } from './step-events.ts';
import { SectionMask } from './step-masks.ts';
import type { Path } from './walk.ts';

type Source = {
  slice: Slice;
  reader: SectionReader;
  mask: SectionMask;
  codes: SectionCodes | null;
  isInside: boolean;
};

function findSources(
  { parts, environment }: Share,
  people: PeopleByRange,
  entries: EntryCodes | null,
  { steps, events }: FunnelPlan,
): { starting: Source[]; following: Source[] } {
  const sources = parts.flatMap((part, index) => {
    const { projection, file } = part;
    return projection.sections.flatMap((section): Source[] => {
      const mask = new SectionMask(section, part, steps);
      if (mask.possible === 0 || !inScope(environment, section)) return [];
      return [
        {
          slice: at(people.slices, index),
          reader: new SectionReader(section, projection.baseUs),
          mask,
          codes: isStarting({ mask }) ? (entries?.ofSection(section, part) ?? null) : null,
          isInside: file !== null && isInside(file, events),
        },
      ];
    });
  });
  return {
    starting: sources.filter(isStarting),
    following: sources.filter((source) => !isStarting(source)),
  };
}

const isStarting = ({ mask }: Pick<Source, 'mask'>): boolean => (mask.possible & 1) !== 0;

const UNKNOWN = -1;

function codeOfStart({ times, masks, codes, count }: CodedEvents, start: number): number {
  const time = times[start];
  let first = start;
  while (first > 0 && times[first - 1] === time) first -= 1;
  for (let index = first; index < count && times[index] === time; index += 1) {
    if ((masks[index] & 1) !== 0 && codes[index] !== codes[start]) return UNKNOWN;
  }
  return codes[start];
}

const beforeReader = (
  { parts, environment }: Share,
  people: PeopleByRange,
  fromUs: number,
): ActivityReader =>
  new ActivityReader(parts, people, {
    ...{ environment, test: null, isAnything: true },
    buckets: new Buckets([fromUs, fromUs], 0),
    has: ({ name }) => !isReserved(name),
  });

class StitchedEvents {
  readonly #people = new Numbers();
  readonly #times = new Numbers();
  readonly #masks = new Numbers();

  add(person: number, time: number, mask: number): void {
    this.#people.push(person);
    this.#times.push(time);
    this.#masks.push(mask);
  }

  get lists(): Numbers[] {
    return [this.#people, this.#times, this.#masks];
  }

  copyTo(events: StepEvents): void {
    const [people, times, masks] = this.lists.map((one) => one.values());
    for (const [index, person] of people.entries()) {
      events.add(person, times[index], masks[index]);
    }
  }
}

export class FunnelCounter implements RangeCounter {
  readonly paths: PathTally;
  readonly people: PeopleByRange;
  readonly #fromUs: number;
  readonly #beforeUs: number;
  readonly #starting: Source[];
  readonly #following: Source[];
  readonly #before: ActivityReader | null;
  readonly #entries: EntryCodes | null;
  readonly #outcomes = new Outcomes();
  readonly #unknown = new Float64Array(1);
  readonly #events: StepEvents;
  readonly #codes = new Int32Array(CHUNK_ROWS);
  #isKept = new Uint8Array(0);
  readonly #stitched = new StitchedEvents();
  readonly #buffer = new RowBuffer();
  readonly #fold: FunnelFold;

  constructor(share: Share, plan: CountedPaths) {
    const projections = share.parts.map(({ projection }) => projection);
    this.paths = new PathTally(plan);
    this.people = new PeopleByRange(projections, share.ranges);
    this.#entries = EntryCodes.of(plan);
    this.#events = new StepEvents(this.#entries !== null);
    const { starting, following } = findSources(share, this.people, this.#entries, plan);
    this.#starting = starting;
    this.#following = following;
    const { fromUs } = plan.events;
    this.#before = plan.newPeopleOnly ? beforeReader(share, this.people, fromUs) : null;
    this.#fromUs = fromUs;
    this.#beforeUs = plan.events.beforeUs;
    this.#fold = new FunnelFold(plan.fold);
  }

  countRange(): void {
    this.#events.clear();
    const { capacity } = this.people;
    if (capacity > this.#isKept.length) this.#isKept = new Uint8Array(2 * capacity);
    this.#isKept.fill(0, 0, capacity);
    for (const source of this.#starting) this.#takeAll(source, true);
    this.#before?.readRange();
    this.#leaveOut(this.#before?.activity.ofRange, this.people.people);
    for (const source of this.#following) this.#takeAll(source, false);
    this.#foldAll(this.people.people);
  }

  countStitched(): void {
    this.#events.clear();
    this.#stitched.copyTo(this.#events);
    const { stitched } = this.people;
    this.#isKept = new Uint8Array(stitched).fill(1);
    this.#leaveOut(this.#before?.activity.ofStitched, stitched);
    this.#foldAll(stitched);
  }

  #leaveOut(before: PeopleBits | undefined, people: number): void {
    if (!before) return;
    for (let person = 0; person < people; person += 1) {
      if (before.word(person, 0) !== 0) this.#isKept[person] = 0;
    }
  }

  state(): CountState {
    const { sums, lists } = this.paths;
    return {
      sums: [this.#unknown, ...sums],
      lists: [...lists, ...this.#outcomes.lists, ...this.#stitched.lists],
      bits: this.#before ? [this.#before.activity.stitchedBits] : [],
    };
  }

  answer({ breakdown, dataThroughMs, fold }: CountedPaths): FunnelAnswer | null {
    const texts = this.#entries?.texts ?? [];
    if (this.#unknown[0] > 0 || texts.length > MAX_COUNTED_VALUES) return null;
    const values = new Map(texts.entries());
    return {
      dataThroughMs,
      breakdown: breakdown && toBreakdown(this.#outcomes, values, fold.stepCount),
      ...this.paths.figures(),
    };
  }

  #takeAll(source: Source, isStarting: boolean): void {
    for (;;) {
      const count = source.reader.read(source.slice, this.#buffer);
      if (count === 0) return;
      this.#take(source, isStarting, count);
    }
  }

  #take({ slice, mask, codes, isInside }: Source, isStarting: boolean, count: number): void {
    const fromUs = this.#fromUs;
    const { entries, times } = this.#buffer;
    const masks = mask.of(this.#buffer, count);
    if (codes) readCodes(codes, this.#buffer, count, this.#codes);
    for (let row = 0; row < count; row += 1) {
      const time = times[row];
      if (!isInside && (time < fromUs || time >= this.#beforeUs)) continue;
      const steps = masks[row];
      if (steps === 0) continue;
      const person = this.#personOf(slice, entries[row], isStarting);
      if (person === ABSENT) continue;
      const coded = codes ? withCode(steps, this.#codes[row]) : steps;
      this.#add(person, time - fromUs, coded);
    }
  }

  /** `ABSENT` of people who cannot start a path that counts. */
  #personOf(slice: Slice, entry: number, isStarting: boolean): number {
    if (isStarting) return this.people.personOf(slice, entry);
    const person = this.people.knownPersonOf(slice, entry);
    if (person < 0 || person === ABSENT) return person;
    return this.#isKept[person] === 1 ? person : ABSENT;
  }

  #add(person: number, time: number, coded: number): void {
    if (person < 0) {
      this.#stitched.add(-1 - person, time, coded);
      return;
    }
    if (isKeptStart(coded, this.#entries !== null)) this.#isKept[person] = 1;
    this.#events.add(person, time, coded);
  }

  #foldAll(people: number): void {
    const fold = this.#fold;
    const path: Path = { depth: 0, reachedUs: fold.reachedUs, latestStartUs: 0 };
    this.#events.group(people);
    for (let person = 0; person < people; person += 1) {
      if (this.#isKept[person] === 0) continue;
      const events = this.#events.of(person);
      path.depth = fold.fold(events);
      path.latestStartUs = fold.latestStartUs;
      if (path.depth > 0 && this.#countEntry(events, path)) this.paths.add(path);
    }
  }

  /** False where conditions of the entry leave the person out. */
  #countEntry(events: CodedEvents, { depth, reachedUs }: Path): boolean {
    if (this.#entries === null) return true;
    const code = codeOfStart(events, this.#fold.startIndex);
    if (code === UNKNOWN) this.#unknown[0] += 1;
    if (code === UNKNOWN || code === LEFT_OUT) return false;
    if (this.#entries.texts !== null) this.#outcomes.add(code - 1, depth, reachedUs);
    return true;
  }
}

export const funnelCounter: CounterOf<CountedPaths> = (share, task) =>
  new FunnelCounter(share, task);

export function projectedFunnel(plan: FunnelPlan, suits: Held, dataThroughMs: number) {
  const question = { ...plan, dataThroughMs };
  const start = (share: Share) => {
    const counter = new FunnelCounter(share, question);
    const answer = () => counter.answer(question);
    return { counter, task: { kind: 'funnel' as const, question }, answer };
  };
  return { suits, start };
}

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    funnel: CountedPaths;
  }
}
