import { OneOf, parser } from '../../../shared/schema.ts';
import type { Db } from '../../../storage/postgres.ts';
import { DAY_STATES, type DayState } from '../collection/day-state.ts';
import type { VendorScope } from '../collection/days-queries.ts';
import type { DayPartial } from './partial.ts';

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

/** The kept copies, unread: only one whose stamp fits has to have today's shape. */
export async function selectPartials(
  db: Db,
  scope: VendorScope & { currency: string },
  range: DayRange,
): Promise<Map<string, { stamp: string; partial: unknown }>> {
  const rows = await db<{ day: string; stamp: string; partial: unknown }[]>`
    SELECT day::text, stamp, partial FROM analytics_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND currency = ${scope.currency} AND day BETWEEN ${range.from} AND ${range.to}`;
  return new Map(rows.map(({ day, stamp, partial }) => [day, { stamp, partial }]));
}

/** Keeps the copies of some days, in one statement. */
export async function upsertPartials(
  db: Db,
  scope: VendorScope & { currency: string },
  made: ReadonlyMap<string, StampedPartial>,
): Promise<void> {
  const days = [...made].map(([day, { stamp, partial }]) => ({ day, stamp, partial }));
  await db`
    INSERT INTO analytics_days (org_id, vendor_number, currency, day, stamp, partial)
    SELECT ${scope.orgId}, ${scope.vendorNumber}, ${scope.currency}, day, stamp, partial
    FROM json_to_recordset(${JSON.stringify(days)}::text::json)
      AS made (day date, stamp text, partial json)
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
