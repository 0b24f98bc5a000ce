import { type Db, type Tx, singleValue, column } from '../../../storage/postgres.ts';
import { readPages } from '../../../storage/read-pages.ts';
import { type DayPack, PACK_FORMAT, readPack } from './pack.ts';
import type { StoredType } from './plan.ts';
import { type DayScope, typeParser, type VendorScope } from './queries.ts';

const PACKS_AT_ONCE = 10;

export type PackedReport = { day: string; reportType: StoredType; pack: DayPack | null };

type Days = { from: string; to: string; and: string };

const inDays = (tx: Tx, { from, to, and }: Days) =>
  tx`(d.day BETWEEN ${from} AND ${to} OR d.day = ${and})`;

export const selectRowsVersion = (tx: Tx, scope: VendorScope, days: Days) =>
  singleValue(tx<{ version: string }[]>`
    SELECT md5(coalesce(string_agg(concat_ws(' ', d.day, d.report_type, d.facts_revision), ','
      ORDER BY d.day, d.report_type), '')) AS version
    FROM store_days d
    WHERE d.org_id = ${scope.orgId} AND d.vendor_number = ${scope.vendorNumber}
      AND ${inDays(tx, days)}`);

/** The product id itself where reports name no other. */
export const selectStoreIds = (tx: Tx, scope: VendorScope, days: Days, sku: string) =>
  column(tx<{ storeId: string }[]>`
    SELECT DISTINCT d.store_id AS "storeId" FROM store_facts d
    WHERE d.org_id = ${scope.orgId} AND d.vendor_number = ${scope.vendorNumber}
      AND ${inDays(tx, days)} AND (d.sku = ${sku} OR d.store_id = ${sku})`);

export async function forEachPack(
  tx: Tx,
  scope: VendorScope,
  days: Days,
  visit: (report: PackedReport) => void,
): Promise<void> {
  const rows = tx<{ day: string; report_type: string; pack: unknown }[]>`
    SELECT d.day::text, d.report_type, p.pack
    FROM store_days d
    LEFT JOIN analytics_packs p ON p.org_id = d.org_id AND p.vendor_number = d.vendor_number
      AND p.day = d.day AND p.report_type = d.report_type AND p.facts_revision = d.facts_revision
    WHERE d.org_id = ${scope.orgId} AND d.vendor_number = ${scope.vendorNumber} AND d.rows > 0
      AND ${inDays(tx, days)}
    ORDER BY d.day DESC, d.report_type`;
  for await (const some of readPages(rows, PACKS_AT_ONCE)) {
    for (const { day, report_type, pack } of some) {
      visit({ day, reportType: typeParser.parse(report_type), pack: readPack(pack) });
    }
  }
}

/** In the transaction of the rows. Never replaces a newer pack. */
export async function packDay(db: Db, { orgId, vendorNumber, day, reportType }: DayScope) {
  const amount = (column: 'proceeds' | 'customer_spend') => {
    const value = db(column);
    return db`CASE WHEN min_scale(${value}) <= 4 AND abs(${value}) < 900719925474
      THEN to_json((${value} * 10000)::bigint) ELSE to_json(trim_scale(${value})::text) END`;
  };
  await db`
    WITH facts AS MATERIALIZED (
      SELECT *, min(line) OVER (PARTITION BY store_id, parent_store_id, sku, parent_sku, title,
        product_type) AS first_line, round(units * 100)::bigint AS hundredths
      FROM store_facts
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND day = ${day}
        AND report_type = ${reportType}
    ), dictionaries AS (
      SELECT array_agg(DISTINCT first_line) AS products, array_agg(DISTINCT country) AS countries,
        array_agg(DISTINCT device) AS devices,
        (SELECT array_agg(DISTINCT currency)
          FROM facts, unnest(ARRAY[proceeds_currency, customer_currency]) currency) AS currencies
      FROM facts
    ), packed AS (
      SELECT dense_rank() OVER (ORDER BY first_line) - 1 AS product,
        array_position(countries, country) - 1 AS country,
        array_position(devices, device) - 1 AS device,
        array_position(currencies, proceeds_currency) - 1 AS currency,
        array_position(currencies, customer_currency) - 1 AS customer_currency,
        ${amount('proceeds')} AS proceeds, ${amount('customer_spend')} AS customer_spend,
        count(*) AS times, sum(trials) AS trials,
        -- A bundle's credits undo sales that were counted before: they are no refunds.
        coalesce(sum(hundredths) FILTER (WHERE hundredths > 0 AND NOT bundle_credit), 0) AS sold,
        coalesce(sum(-hundredths) FILTER (WHERE hundredths < 0 AND NOT bundle_credit), 0) AS refunded,
        coalesce(sum(hundredths) FILTER (
          WHERE hundredths > 0 AND NOT bundle_credit AND is_renewal), 0) AS renewed,
        coalesce(sum(hundredths) FILTER (
          WHERE hundredths > 0 AND NOT bundle_credit AND is_renewal IS NULL), 0) AS unsaid
      FROM facts, dictionaries
      GROUP BY first_line, country, device, proceeds_currency, customer_currency, proceeds,
        customer_spend, countries, devices, currencies
      ORDER BY min(line)
    ), columns AS (
      SELECT json_agg(product) AS product, json_agg(country) AS country, json_agg(device) AS device,
        json_agg(currency) AS currency, json_agg(customer_currency) AS customer_currency,
        json_agg(proceeds) AS proceeds, json_agg(customer_spend) AS customer_spend,
        json_agg(times) AS times, json_agg(sold) AS sold, json_agg(refunded) AS refunded,
        json_agg(trials) AS trials, json_agg(renewed) AS renewed, json_agg(unsaid) AS unsaid
      FROM packed
    )
    INSERT INTO analytics_packs AS kept (org_id, vendor_number, day, report_type, facts_revision,
      pack)
    SELECT ${orgId}, ${vendorNumber}, ${day}, ${reportType}, d.facts_revision, json_build_object(
      'format', ${PACK_FORMAT}::integer,
      'products', (SELECT json_agg(json_build_object('storeId', store_id,
          'parentStoreId', parent_store_id, 'sku', sku, 'parentSku', parent_sku, 'title', title,
          'productType', product_type) ORDER BY line) FROM facts WHERE line = first_line),
      'countries', countries, 'devices', devices, 'currencies', currencies,
      'product', product, 'country', country, 'device', device, 'currency', currency,
      'customerCurrency', customer_currency, 'proceeds', proceeds,
      'customerSpend', customer_spend, 'times', times, 'sold', sold, 'refunded', refunded,
      'trials', trials, 'renewed', renewed, 'unsaid', unsaid)
    FROM dictionaries, columns, store_days d
    WHERE d.org_id = ${orgId} AND d.vendor_number = ${vendorNumber} AND d.day = ${day}
      AND d.report_type = ${reportType} AND d.rows > 0
    ON CONFLICT (org_id, vendor_number, day, report_type) DO UPDATE
      SET facts_revision = excluded.facts_revision, pack = excluded.pack
      WHERE excluded.facts_revision >= kept.facts_revision`;
}
