import { daysBetween } from '../../../shared/pacific.ts';

export type PriceDay = { day: string; counts: ReadonlyMap<string, number> };
/** Plain decimals. */
export type Change = { day: string; from: string; to: string };

/** A price unseen this long is new when it returns. */
export const UNSEEN_DAYS = 35;

function commonest(counts: ReadonlyMap<string, number>): string | null {
  let found: [string, number] | null = null;
  for (const [price, count] of counts) if (!found || count > found[1]) found = [price, count];
  return found?.[0] ?? null;
}

/** The first of consecutive days of the new price, once the old one ended. Days in order. */
export function changesOfSales(days: readonly PriceDay[]): Change[] {
  const changes: Change[] = [];
  let since = new Map<string, string>();
  let current: string | null = null;
  for (const { day, counts } of days) {
    since = new Map([...counts.keys()].map((price) => [price, since.get(price) ?? day]));
    if (current !== null && counts.has(current)) continue;
    const next = commonest(counts);
    if (next === null) continue;
    if (current !== null) changes.push({ day: since.get(next) ?? day, from: current, to: next });
    current = next;
  }
  return changes;
}

/** The first day unseen for `UNSEEN_DAYS`; old prices persist until renewal. Days in order. */
export function changesOfSubscribers(days: readonly PriceDay[]): Change[] {
  const changes: Change[] = [];
  const lastSeen = new Map<string, string>();
  let before: string | null = null;
  for (const { day, counts } of days) {
    for (const price of counts.keys()) {
      const seen = lastSeen.get(price);
      const isNew = seen === undefined || daysBetween(seen, day) > UNSEEN_DAYS;
      if (before !== null && before !== price && isNew) {
        changes.push({ day, from: before, to: price });
      }
      lastSeen.set(price, day);
    }
    before = commonest(counts) ?? before;
  }
  return changes;
}
