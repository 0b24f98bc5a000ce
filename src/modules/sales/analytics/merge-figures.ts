import { emptyFigures, type Figures } from './fold.ts';
import { addSums, ensureSums, type SumsByKey } from './metrics.ts';
import type { WindowFigures } from './sales-figures.ts';

function addAll(into: SumsByKey, more: SumsByKey): void {
  for (const [key, sums] of more) addSums(ensureSums(into, key), sums);
}

function addMoney(into: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [code, minor] of more) into.set(code, (into.get(code) ?? 0) + minor);
}

function ensureEntry<V>(byKey: Map<string, V>, key: string, made: () => V): V {
  const present = byKey.get(key);
  if (present !== undefined) return present;
  const fresh = made();
  byKey.set(key, fresh);
  return fresh;
}

const BY_KEY = ['apps', 'countries', 'devices', 'kinds', 'productTypes'] as const;
const MONEY = ['currencies', 'unconverted', 'unconvertedSpend'] as const;

function addFigures(into: Figures, more: Figures): void {
  for (const name of BY_KEY) addAll(into[name], more[name]);
  for (const name of MONEY) addMoney(into[name], more[name]);
  for (const [day, byApp] of more.days) {
    addAll(
      ensureEntry(into.days, day, () => new Map()),
      byApp,
    );
  }
  for (const [app, money] of more.unconvertedByApp) {
    addMoney(
      ensureEntry(into.unconvertedByApp, app, () => new Map()),
      money,
    );
  }
  // Ids of two stores never meet: numbers, and package names.
  for (const [key, product] of more.products) into.products.set(key, product);
  for (const [app, title] of more.titles) into.titles.set(app, title);
  for (const day of more.daysMissingRates) into.daysMissingRates.add(day);
}

function mergeYesterdays(all: readonly WindowFigures[]): SumsByKey | undefined {
  const known = all.flatMap(({ yesterday }) => yesterday ?? []);
  if (known.length === 0) return undefined;
  const merged: SumsByKey = new Map();
  for (const byApp of known) addAll(merged, byApp);
  return merged;
}

/** Adds up several stores; the cached ones stay as they are. */
export function mergeFigures(all: readonly WindowFigures[]): WindowFigures {
  const [only] = all;
  if (only && all.length === 1) return only;
  const current = emptyFigures();
  const previous = emptyFigures();
  for (const one of all) {
    addFigures(current, one.current);
    addFigures(previous, one.previous);
  }
  return { current, previous, yesterday: mergeYesterdays(all) };
}
