import { type CohortsAnswer, NOT_SEEN } from '../../../query/cohorts/model.ts';
import { at } from '../../../shared/assert.ts';
import { intervalOf } from '../revenue/window.ts';
import type { Begin } from './chains.ts';
import type { Ledger, Person } from './ledger.ts';
import type { Anchor, CohortBreakdown } from './model.ts';
import type { Placed } from './tally.ts';
import { type CohortWindow, endOf } from './window.ts';

/** Events of the people of purchases, in their order. */
export type Seen = Pick<CohortsAnswer, 'intervals' | 'places' | 'sizes' | 'values'>;

export type Placing = {
  placed: Placed[];
  /** People by cohort, and by value of a breakdown and cohort. */
  sizes: number[];
  groups: { values: (string | null)[]; sizes: number[][] } | null;
};

const emptySizes = ({ cohorts }: CohortWindow): number[] =>
  Array.from({ length: cohorts }, () => 0);

type Asked = { by: Anchor; breakdown: CohortBreakdown | null };

const SHOWN = 6;

type Word = 'offering' | 'product';

/** Products or offerings of most people, then null for the others. */
function byWord(word: Word, ledger: Ledger, intervals: readonly (number | null)[]) {
  const wordOf = (person: Person): string | null => ledger.beginOf(person)?.[word] ?? null;
  const counts = new Map<string, number>();
  for (const [index, person] of ledger.people.entries()) {
    const value = wordOf(person);
    const interval = at(intervals, index);
    if (value === null || interval === null || interval < 0) continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const shown = ranked.slice(0, SHOWN).map(([value]) => value);
  const places = new Map(shown.map((value, place) => [value, place]));
  const values: (string | null)[] = [...shown, null];
  const placeOf = (person: Person): number => {
    const value = wordOf(person);
    return value === null ? shown.length : (places.get(value) ?? shown.length);
  };
  return { values, placeOf };
}

/** The earlier of the first event and the begin by purchases. */
function intervalOfBegin(
  begin: Begin | null,
  seenAt: number,
  window: CohortWindow,
  by: Anchor,
): number | null {
  const bought =
    begin && begin.atMs < endOf(window) ? intervalOf(window.boundariesMs, begin.atMs) : null;
  if (by !== 'first_seen' || seenAt === NOT_SEEN) return bought;
  return bought === null ? seenAt : Math.min(bought, seenAt);
}

const add = (sizes: number[], cohort: number | null, change: number): void => {
  if (cohort === null || cohort < 0 || cohort >= sizes.length) return;
  sizes[cohort] = at(sizes, cohort) + change;
};

/** Puts each person of purchases into a cohort; who only events know is in the sizes alone. */
export function placePeople(
  ledger: Ledger,
  window: CohortWindow,
  seen: Seen | null,
  { by, breakdown }: Asked,
): Placing {
  const seenAt = (index: number) => (seen ? at(seen.intervals, index) : NOT_SEEN);
  const intervals = ledger.people.map((person, index) =>
    intervalOfBegin(ledger.beginOf(person), seenAt(index), window, by),
  );
  const isOfPurchase = breakdown === 'product' || breakdown === 'offering';
  const words = isOfPurchase ? byWord(breakdown, ledger, intervals) : null;
  const values = words?.values ?? seen?.values ?? [];
  const last = values.length - 1;
  const groupOf = (person: Person, index: number): number => {
    if (words) return words.placeOf(person);
    const place = seen ? at(seen.places, index) : NOT_SEEN;
    return place === NOT_SEEN ? last : place;
  };
  const isSeen = by === 'first_seen' && seen !== null;
  const sizes = emptySizes(window);
  const groups = values.map(() => emptySizes(window));
  if (isSeen) {
    for (const [place, ofValue] of seen.sizes.entries()) {
      // People who never bought are among the others of products and offerings.
      const group = groups[words ? last : place];
      for (const [cohort, people] of ofValue.entries()) {
        add(sizes, cohort, people);
        if (group) add(group, cohort, people);
      }
    }
  }
  const placed = ledger.people.map((person, index): Placed => {
    const interval = at(intervals, index);
    const group = values.length > 0 ? groupOf(person, index) : null;
    if (isSeen && seenAt(index) !== NOT_SEEN) {
      add(sizes, seenAt(index), -1);
      const before = words ? last : group;
      if (before !== null) add(at(groups, before), seenAt(index), -1);
    }
    add(sizes, interval, 1);
    if (group !== null) add(at(groups, group), interval, 1);
    return { interval, group };
  });
  return { placed, sizes, groups: values.length > 0 ? { values, sizes: groups } : null };
}
