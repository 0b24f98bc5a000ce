import { at } from '../../shared/assert.ts';
import type { EnvironmentScope } from '../../shared/environment.ts';
import { inScope, isInside } from '../reading/files.ts';
import { Numbers } from '../reading/projection/numbers.ts';
import { ABSENT, PeopleByRange, type Slice } from '../reading/projection/people.ts';
import { RowBuffer, SectionReader } from '../reading/projection/rows.ts';
import type {
  CountedPart,
  CounterOf,
  CountState,
  RangeCounter,
  Share,
} from '../reading/projection/share.ts';
import { FunnelFold } from './fold.ts';
import type { FunnelAnswer } from './model.ts';
import { type CountedPaths, PathTally } from './path-tally.ts';
import type { FunnelPlan } from './plan.ts';
import { StepEvents } from './step-events.ts';
import { propertyOfStep, SectionMask } from './step-masks.ts';
import type { Path } from './walk.ts';

type Source = {
  slice: Slice;
  reader: SectionReader;
  mask: SectionMask;
  isInside: boolean;
};

/** Sections that can start a path come first: nobody else counts. */
function sourcesOf(
  parts: readonly CountedPart[],
  people: PeopleByRange,
  environment: EnvironmentScope,
  { steps, events }: FunnelPlan,
): { starting: Source[]; following: Source[] } {
  const sources = parts.flatMap(({ projection, file }, index) =>
    projection.sections.flatMap((section): Source[] => {
      const mask = new SectionMask(section, steps, section.name);
      if (mask.possible === 0 || !inScope(environment, section)) return [];
      return [
        {
          slice: at(people.slices, index),
          reader: new SectionReader(section, projection.baseUs),
          mask,
          isInside: file !== null && isInside(file, events),
        },
      ];
    }),
  );
  const isStarting = ({ mask }: Source) => (mask.possible & 1) !== 0;
  return {
    starting: sources.filter(isStarting),
    following: sources.filter((source) => !isStarting(source)),
  };
}

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
  readonly #events = new StepEvents();
  readonly #stitched = new StitchedEvents();
  readonly #buffer = new RowBuffer();
  readonly #fold: FunnelFold;

  constructor({ parts, environment, ranges }: Share, plan: CountedPaths) {
    const projections = parts.map(({ projection }) => projection);
    this.paths = new PathTally(plan);
    this.people = new PeopleByRange(projections, ranges);
    const { starting, following } = sourcesOf(parts, this.people, environment, plan);
    this.#starting = starting;
    this.#following = following;
    this.#fromUs = plan.events.fromUs;
    this.#beforeUs = plan.events.beforeUs;
    this.#fold = new FunnelFold(plan.fold);
  }

  countRange(): void {
    this.#events.clear();
    for (const source of this.#starting) this.#takeAll(source, true);
    for (const source of this.#following) this.#takeAll(source, false);
    this.#foldAll(this.people.people);
  }

  countStitched(): void {
    this.#events.clear();
    this.#stitched.copyTo(this.#events);
    this.#foldAll(this.people.stitched);
  }

  state(): CountState {
    const { sums, lists } = this.paths;
    return { sums, lists: [...lists, ...this.#stitched.lists], bits: [] };
  }

  #takeAll(source: Source, isStarting: boolean): void {
    for (;;) {
      const count = source.reader.read(source.slice, this.#buffer);
      if (count === 0) return;
      this.#take(source, isStarting, count);
    }
  }

  #take({ slice, mask, isInside }: Source, isStarting: boolean, count: number): void {
    const fromUs = this.#fromUs;
    const { entries, times, first } = this.#buffer;
    for (let row = 0; row < count; row += 1) {
      const time = times[row];
      if (!isInside && (time < fromUs || time >= this.#beforeUs)) continue;
      const steps = mask.of(first + row);
      if (steps === 0) continue;
      const entry = entries[row];
      const person = isStarting
        ? this.people.personOf(slice, entry)
        : this.people.knownPersonOf(slice, entry);
      if (person === ABSENT) continue;
      if (person >= 0) this.#events.add(person, time - fromUs, steps);
      else this.#stitched.add(-1 - person, time - fromUs, steps);
    }
  }

  #foldAll(people: number): void {
    const fold = this.#fold;
    const path: Path = { depth: 0, reachedUs: fold.reachedUs, latestStartUs: 0 };
    this.#events.group(people);
    for (let person = 0; person < people; person += 1) {
      path.depth = fold.fold(this.#events.of(person));
      path.latestStartUs = fold.latestStartUs;
      if (path.depth > 0) this.paths.add(path);
    }
  }
}

export const funnelCounter: CounterOf<CountedPaths> = (share, task) =>
  new FunnelCounter(share, task);

export function projectedFunnel(plan: FunnelPlan, dataThroughMs: number) {
  const question = { ...plan, dataThroughMs };
  const start = (share: Share) => {
    const counter = new FunnelCounter(share, question);
    const answer = (): FunnelAnswer => ({
      dataThroughMs,
      breakdown: null,
      ...counter.paths.figures(),
    });
    return { counter, task: { kind: 'funnel' as const, question }, answer };
  };
  const properties = plan.steps.flatMap((step) => {
    const prop = propertyOfStep(step);
    return prop === null ? [] : (step.events ?? []).map((event) => ({ event, prop }));
  });
  return { suits: properties.length > 0 ? { properties } : {}, start };
}

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    funnel: CountedPaths;
  }
}
