import type { Deps } from '../../deps.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import type { LoadedRates } from '../rates/source.ts';
import { type StoreAppName, selectAppNames } from '../store/apps-store.ts';
import type { VendorScope } from '../store/days-store.ts';
import { type AppIndex, foldDay } from './fold.ts';
import type { DayPartial } from './partial.ts';
import {
  type DayRange,
  selectFactRevisions,
  selectFacts,
  selectPartials,
  selectReadCurrencies,
  upsertPartial,
} from './store.ts';

export const DEFAULT_CURRENCY = 'USD';
/** Goes up whenever the folding of the same rows gives something else. */
const FOLD_VERSION = 1;
/** Days folded at once: bounds the memory that a first read of a year may take. */
const FOLDING_MAX = 2;
const WARM_CURRENCIES_MAX = 5;

type PartialDeps = Pick<Deps, 'sql' | 'rates'>;
type Making = {
  deps: PartialDeps;
  scope: VendorScope & { currency: string };
  rates: LoadedRates;
  apps: AppIndex;
  appsStamp: string;
};

export function appIndex(apps: readonly StoreAppName[]): AppIndex {
  return {
    ids: new Set(apps.map(({ storeAppId }) => storeAppId)),
    idBySku: new Map(apps.filter(({ sku }) => sku).map(({ sku, storeAppId }) => [sku, storeAppId])),
  };
}

/** Rows are attributed by ids and SKUs, so a copy is out of date when those change. */
function stampOfApps(apps: readonly StoreAppName[]): string {
  const words = apps.map(({ storeAppId, sku }) => `${storeAppId} ${sku}`).join('\n');
  return new Bun.CryptoHasher('sha256').update(words).digest('hex').slice(0, 16);
}

const stampOf = (making: Making, day: string, revisions: string) =>
  [FOLD_VERSION, revisions, making.rates.stamp(day), making.appsStamp].join(' ');

/** Folds one day on a snapshot, so that the copy has the stamp of the very rows it was made of. */
async function makePartial(making: Making, day: string): Promise<DayPartial> {
  const { deps, scope, rates, apps } = making;
  const made = await deps.sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    const revisions = await selectFactRevisions(tx, scope, { from: day, to: day });
    const facts = await selectFacts(tx, scope, day);
    const convert = rates.convertTo(scope.currency);
    const stamp = stampOf(making, day, revisions.get(day) ?? '');
    return { stamp, partial: foldDay(facts, { day, convert, apps }) };
  });
  await upsertPartial(deps.sql, { ...scope, day }, made);
  return made.partial;
}

/**
 * The sums of every day with rows in some ranges. Kept copies are used where they are up to date,
 * the others are made anew.
 */
export async function loadPartials(
  deps: PartialDeps,
  scope: VendorScope & { currency: string },
  ranges: readonly DayRange[],
  appNames: readonly StoreAppName[],
): Promise<Map<string, DayPartial>> {
  const [first = '', last = ''] = [
    ranges.map(({ from }) => from).toSorted()[0],
    ranges
      .map(({ to }) => to)
      .toSorted()
      .at(-1),
  ];
  const whole = { from: first, to: last };
  const making: Making = {
    deps,
    scope,
    rates: await deps.rates.load(first, last),
    apps: appIndex(appNames),
    appsStamp: stampOfApps(appNames),
  };
  const [revisions, kept] = await Promise.all([
    selectFactRevisions(deps.sql, scope, whole),
    selectPartials(deps.sql, scope, whole),
  ]);
  const limit = limitConcurrency(FOLDING_MAX);
  const days = [...revisions].filter(([day]) =>
    ranges.some(({ from, to }) => from <= day && day <= to),
  );
  const partials = await Promise.all(
    days.map(async ([day, revision]): Promise<[string, DayPartial]> => {
      const copy = kept.get(day);
      if (copy?.stamp === stampOf(making, day, revision)) return [day, copy.partial];
      return [day, await limit(() => makePartial(making, day))];
    }),
  );
  return new Map(partials);
}

/** Makes the copies of days that just changed, in the currencies in use, so that no reader waits. */
export async function warmDays(
  deps: PartialDeps,
  scope: VendorScope,
  days: readonly string[],
): Promise<void> {
  if (days.length === 0) return;
  const ranges = days.map((day) => ({ from: day, to: day }));
  const apps = await selectAppNames(deps.sql, scope.orgId);
  const read = await selectReadCurrencies(deps.sql, scope, WARM_CURRENCIES_MAX);
  for (const currency of new Set([DEFAULT_CURRENCY, ...read])) {
    await loadPartials(deps, { ...scope, currency }, ranges, apps);
  }
}
