import { OneOf, parser } from '../../shared/schema.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { DAY_STATES, type DayState } from '../store/day-state.ts';
import type { VendorScope } from '../store/days-store.ts';
import type { Fact } from './fold.ts';
import { type DayPartial, dayPartial } from './partial.ts';

const stateParser = parser(OneOf(DAY_STATES), 'store_days state');

/** The states of every day of sales that is known. */
export async function selectSalesStates(
  db: Db,
  scope: VendorScope,
): Promise<Map<string, DayState>> {
  const rows = await db<{ day: string; state: string }[]>`
    SELECT day::text, state FROM store_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND report_type = 'SALES'`;
  return new Map(rows.map(({ day, state }) => [day, stateParser.parse(state)]));
}

export type DayRange = { from: string; to: string };

/** Days that have rows, each with a word that changes whenever its rows do. */
export async function selectFactRevisions(
  db: Db,
  scope: VendorScope,
  range: DayRange,
): Promise<Map<string, string>> {
  const rows = await db<{ day: string; revisions: string }[]>`
    SELECT day::text, string_agg(report_type || facts_revision, ',' ORDER BY report_type) AS revisions
    FROM store_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND day BETWEEN ${range.from} AND ${range.to} AND facts_revision > 0
    GROUP BY day`;
  return new Map(rows.map(({ day, revisions }) => [day, revisions]));
}

export type StampedPartial = { stamp: string; partial: DayPartial };

export async function selectPartials(
  db: Db,
  scope: VendorScope & { currency: string },
  range: DayRange,
): Promise<Map<string, StampedPartial>> {
  const rows = await db<{ day: string; stamp: string; partial: unknown }[]>`
    SELECT day::text, stamp, partial FROM analytics_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND currency = ${scope.currency} AND day BETWEEN ${range.from} AND ${range.to}`;
  return new Map(
    rows.map(({ day, stamp, partial }) => [day, { stamp, partial: dayPartial.parse(partial) }]),
  );
}

export async function upsertPartial(
  db: Db,
  scope: VendorScope & { currency: string; day: string },
  { stamp, partial }: StampedPartial,
): Promise<void> {
  await db`
    INSERT INTO analytics_days (org_id, vendor_number, currency, day, stamp, partial)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${scope.currency}, ${scope.day}, ${stamp},
      ${JSON.stringify(partial)}::text::json)
    ON CONFLICT (org_id, vendor_number, currency, day) DO UPDATE
      SET stamp = excluded.stamp, partial = excluded.partial`;
}

/** Currencies that somebody has read the figures in, a few at most. */
export async function selectReadCurrencies(
  db: Db,
  scope: VendorScope,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ currency: string }[]>`
    SELECT DISTINCT currency FROM analytics_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
    ORDER BY currency LIMIT ${limit}`;
  return rows.map(({ currency }) => currency);
}

type FactRow = {
  store_id: string;
  parent_store_id: string | null;
  sku: string;
  parent_sku: string | null;
  title: string;
  product_type: string;
  country: string;
  device: string;
  units: string;
  bundle_credit: boolean;
  trials: number;
  proceeds: string;
  proceeds_currency: string;
  customer_spend: string;
  customer_currency: string;
};

const toFact = (row: FactRow): Fact => ({
  storeId: row.store_id,
  parentStoreId: row.parent_store_id,
  sku: row.sku,
  parentSku: row.parent_sku,
  title: row.title,
  productType: row.product_type,
  country: row.country,
  device: row.device,
  units: row.units,
  bundleCredit: row.bundle_credit,
  trials: row.trials,
  proceeds: row.proceeds,
  proceedsCurrency: row.proceeds_currency,
  customerSpend: row.customer_spend,
  customerCurrency: row.customer_currency,
});

/** All rows of one day, sales before subscription events. */
export async function selectFacts(tx: Tx, scope: VendorScope, day: string): Promise<Fact[]> {
  const rows = await tx<FactRow[]>`
    SELECT store_id, parent_store_id, sku, parent_sku, title, product_type, country, device, units,
      bundle_credit, trials, proceeds, proceeds_currency, customer_spend, customer_currency
    FROM store_facts
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber} AND day = ${day}
    ORDER BY report_type, line`;
  return rows.map(toFact);
}
