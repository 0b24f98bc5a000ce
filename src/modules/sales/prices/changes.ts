import { daysBetween } from '../../../shared/pacific.ts';

/** Count by price of one product, country and currency on a report day. */
export type PriceDay = { day: string; counts: ReadonlyMap<string, number> };
/** Plain decimals. */
export type Change = { day: string; from: string; to: string };

/** A price unseen this long is new when it returns. */
export const UNSEEN_DAYS = 35;

/** First in the report's order at a tie. */
function commonest(counts: ReadonlyMap<string, number>): string | null {
  let found: [string, number] | null = null;
  for (const [price, count] of counts) if (!found || count > found[1]) found = [price, count];
  return found?.[0] ?? null;
}

/**
 * Price changes by sales: the first of consecutive days of the new price, once the old one has
 * ended; a parallel discount is none. Expects days in order.
 */
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

/**
 * Price changes by subscribers: the first day of a price unseen for `UNSEEN_DAYS`, against the
 * commonest price of the day before. Old prices persist until renewal. Expects days in order.
 */
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
