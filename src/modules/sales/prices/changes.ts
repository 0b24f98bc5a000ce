import { daysBetween } from '../../../shared/pacific.ts';

/** How many had each price of one product, in one country and currency, on a day of the reports. */
export type PriceDay = { day: string; counts: ReadonlyMap<string, number> };
/** Prices are plain decimals. */
export type Change = { day: string; from: string; to: string };

/** A price that nobody had for so long is a new one when it comes back. */
export const FORGOTTEN_DAYS = 35;

/** The price of most; of two with as many the one that stands first in the report's order. */
function commonest(counts: ReadonlyMap<string, number>): string | null {
  let found: [string, number] | null = null;
  for (const [price, count] of counts) if (!found || count > found[1]) found = [price, count];
  return found?.[0] ?? null;
}

/**
 * Changes of a price by what was sold: the first of the days on end on which the new one was sold,
 * known once the old one is no longer. A discount beside the old price is none. Days come in order.
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
 * Changes of a subscription's price by who has it: the first day on which somebody had a price that
 * nobody had in the `FORGOTTEN_DAYS` before; the old one is that of most the day before. Those who
 * have the old one keep it until they renew, so it does not go away. Days come in order.
 */
export function changesOfSubscribers(days: readonly PriceDay[]): Change[] {
  const changes: Change[] = [];
  const lastSeen = new Map<string, string>();
  let before: string | null = null;
  for (const { day, counts } of days) {
    for (const price of counts.keys()) {
      const seen = lastSeen.get(price);
      const isNew = seen === undefined || daysBetween(seen, day) > FORGOTTEN_DAYS;
      if (before !== null && before !== price && isNew) {
        changes.push({ day, from: before, to: price });
      }
      lastSeen.set(price, day);
    }
    before = commonest(counts) ?? before;
  }
  return changes;
}
