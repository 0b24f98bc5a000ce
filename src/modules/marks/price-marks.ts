import { at } from '../../shared/assert.ts';
import { formatMinor } from '../../shared/money.ts';
import { daysBetween } from '../../shared/pacific.ts';
import type { PriceChange } from '../sales/index.ts';
import type { Mark } from './model.ts';

/** Spread of a price change over the countries' reports. */
const SPREAD_DAYS = 7;

const inOrder = (a: PriceChange, b: PriceChange) =>
  a.day.localeCompare(b.day) ||
  a.country.localeCompare(b.country) ||
  a.currency.localeCompare(b.currency);

function groups(changes: readonly PriceChange[]): PriceChange[][] {
  const found: PriceChange[][] = [];
  for (const change of changes.toSorted(inOrder)) {
    const last = found.at(-1);
    const first = last?.[0];
    const isNear = first !== undefined && daysBetween(first.day, change.day) < SPREAD_DAYS;
    const isNew = last?.every(
      ({ country, currency }) => country !== change.country || currency !== change.currency,
    );
    if (last && isNear && isNew) last.push(change);
    else found.push([change]);
  }
  return found;
}

function toMark(group: readonly PriceChange[]): Mark {
  const { day, productId, productName, country, currency, fromMinor, toMinor } = at(group, 0);
  const countries = new Set(group.map((change) => change.country)).size;
  const others = countries - 1;
  const more = others > 0 ? ` and ${others} more ${others === 1 ? 'country' : 'countries'}` : '';
  const change = `${formatMinor(fromMinor, currency)} → ${formatMinor(toMinor, currency)}`;
  return {
    kind: 'price',
    day,
    at: null,
    text: `Price of ${productName}: ${change} in ${country}${more}`,
    id: null,
    author: null,
    price: { productId, productName, country, currency, fromMinor, toMinor, countries },
  };
}

export function priceMarks(changes: readonly PriceChange[]): Mark[] {
  const byProduct = Map.groupBy(changes, ({ productId }) => productId);
  return [...byProduct.values()].flatMap((own) => groups(own).map(toMark));
}
