import type { Deps } from '../../../context.ts';
import type { ReportType } from '../../../providers/store/port.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { type StoreAppName, selectAppNames } from '../collection/apps-queries.ts';
import type { VendorScope } from '../collection/days-queries.ts';
import type { LoadedRates } from '../rates/source.ts';
import { type AppIndex, foldPack } from './fold.ts';
import { createPacker, type DayPack } from './pack.ts';
import { forEachFacts, type PackedReport, selectPacks, upsertPack } from './packs-queries.ts';
import { type DayPartial, dayPartial, sumPartials } from './partial.ts';
import {
  type DayRange,
  type StampedPartial,
  selectFactRevisions,
  selectPartials,
  selectReadCurrencies,
  upsertPartials,
} from './queries.ts';

export const DEFAULT_CURRENCY = 'USD';
/** Goes up whenever the folding of the same rows gives something else. */
const FOLD_VERSION = 3;
/** Days read and folded together, and how many such lots at once: bounds what a year's read takes. */
const LOT_DAYS = 10;
const LOTS_MAX = 2;
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

type RevisedPack = { revision: number; pack: DayPack };

/** Packs the rows of a report as they are now, for days that were stored without. */
async function packAnew(
  { deps: { sql }, scope }: Making,
  day: string,
  reportType: ReportType,
): Promise<RevisedPack> {
  const one = { ...scope, day, reportType };
  const packer = createPacker();
  const revision = await forEachFacts(sql, one, packer.add);
  await upsertPack(sql, one, revision, packer.pack);
  return { revision, pack: packer.pack };
}

async function foldReports(
  making: Making,
  day: string,
  reports: readonly PackedReport[],
): Promise<StampedPartial> {
  const { rates, apps, scope } = making;
  const context = { day, currency: scope.currency, rates, apps };
  const revisions: string[] = [];
  const partials: DayPartial[] = [];
  for (const { reportType, revision: known, pack: kept } of reports) {
    const { revision, pack } = kept
      ? { revision: known, pack: kept }
      : await packAnew(making, day, reportType);
    revisions.push(`${reportType}${revision}`);
    partials.push(foldPack(pack, context));
  }
  return { stamp: stampOf(making, day, revisions.join(',')), partial: sumPartials(partials) };
}

/** Folds some days, each with the stamp of the very rows that its copy was made of. */
async function makePartials(
  making: Making,
  days: readonly string[],
): Promise<[string, DayPartial][]> {
  const made = new Map<string, StampedPartial>();
  for (const [day, reports] of await selectPacks(making.deps.sql, making.scope, days)) {
    made.set(day, await foldReports(making, day, reports));
  }
  await upsertPartials(making.deps.sql, making.scope, made);
  return [...made].map(([day, { partial }]) => [day, partial]);
}

function lotsOf(days: readonly string[]): string[][] {
  const count = Math.ceil(days.length / LOT_DAYS);
  return Array.from({ length: count }, (_, lot) =>
    days.slice(lot * LOT_DAYS, (lot + 1) * LOT_DAYS),
  );
}

/** Copies that are up to date, and the days that have none. */
async function keptPartials(making: Making, ranges: readonly DayRange[]) {
  const { deps, scope } = making;
  const whole = spanOf(ranges);
  const [revisions, kept] = await Promise.all([
    selectFactRevisions(deps.sql, scope, whole),
    selectPartials(deps.sql, scope, whole),
  ]);
  const known: [string, DayPartial][] = [];
  const missing: string[] = [];
  for (const [day, revision] of revisions) {
    if (!ranges.some(({ from, to }) => from <= day && day <= to)) continue;
    const copy = kept.get(day);
    // One of an earlier release may have another shape.
    const isCurrent = copy?.stamp === stampOf(making, day, revision);
    if (isCurrent) known.push([day, dayPartial.parse(copy.partial)]);
    else missing.push(day);
  }
  return { known, missing };
}

function spanOf(ranges: readonly DayRange[]): DayRange {
  const from = ranges.map((range) => range.from).toSorted()[0] ?? '';
  const to =
    ranges
      .map((range) => range.to)
      .toSorted()
      .at(-1) ?? '';
  return { from, to };
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
  const { from, to } = spanOf(ranges);
  const making: Making = {
    deps,
    scope,
    rates: await deps.rates.load(from, to),
    apps: appIndex(appNames),
    appsStamp: stampOfApps(appNames),
  };
  const { known, missing } = await keptPartials(making, ranges);
  const limit = limitConcurrency(LOTS_MAX);
  const lots = lotsOf(missing).map((days) => limit(() => makePartials(making, days)));
  return new Map([...known, ...(await Promise.all(lots)).flat()]);
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
