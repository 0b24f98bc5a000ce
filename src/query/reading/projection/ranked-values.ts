import { compareTexts } from '../../selection/condition-match.ts';
import type { Conditions } from '../../selection/conditions.ts';
import type { Dimension } from '../../selection/dimension.ts';
import type { EventFilters } from '../../selection/filters.ts';
import { compileRowTest } from '../../selection/row-test.ts';
import { PeopleByRange } from './people.ts';
import { isNamed } from './sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from './share.ts';
import { ValueEvents } from './value-events.ts';

export type RankedValues = {
  names: readonly string[] | null;
  filters: EventFilters;
  where: Conditions | undefined;
  by: Dimension;
  fromUs: number;
  beforeUs: number;
};

function valueEvents(
  { parts, environment }: Pick<Share, 'environment' | 'parts'>,
  { by, names, fromUs, beforeUs, ...asked }: RankedValues,
): ValueEvents {
  return new ValueEvents(parts, {
    environment,
    has: (section) => isNamed(names, section),
    test: compileRowTest(asked),
    by,
    window: { fromUs, beforeUs },
  });
}

const rankValues = ({ events, texts }: ValueEvents): string[] =>
  [...texts.entries()]
    .map(([number, text]) => ({ text, events: events[number] }))
    .filter((one) => one.events > 0)
    .toSorted((a, b) => b.events - a.events || compareTexts(a.text, b.text))
    .map(({ text }) => text);

export function rankAtOnce(
  share: Pick<Share, 'environment' | 'parts'>,
  task: RankedValues,
): string[] | null {
  if (compileRowTest(task) !== null) return null;
  const values = valueEvents(share, task);
  return values.readAll() ? rankValues(values) : null;
}

export class ValueCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #values: ValueEvents;

  constructor(share: Share, task: RankedValues) {
    this.people = new PeopleByRange(
      share.parts.map(({ projection }) => projection),
      share.ranges,
    );
    this.#values = valueEvents(share, task);
  }

  countRange(): void {
    this.#values.readSpans(this.people.slices);
  }

  countStitched(): void {}

  state(): CountState {
    return { sums: [this.#values.events], lists: [], bits: [] };
  }

  ranked(): string[] {
    return rankValues(this.#values);
  }
}

export const valueCounter: CounterOf<RankedValues> = (share, task) => new ValueCounter(share, task);
