import type { SalesFact, SubscriptionFact } from '../../../providers/store/port.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import { lockSubject } from '../../../storage/locks.ts';
import { type Db, type Tx, firstValue, done } from '../../../storage/postgres.ts';
import { DAY_STATES, type DayRecord, type DayState } from './day-state.ts';
import { dayKey, STORED_TYPES, type StoredType } from './plan.ts';

/** `vendorNumber`: of App Store Connect, or `gs://` and a bucket of Google Play. */
export type VendorScope = { orgId: string; vendorNumber: string };
export type DayScope = VendorScope & { reportType: StoredType; day: string };

const stateParser = parser(OneOf(DAY_STATES), 'store_days state');
export const typeParser = parser(OneOf(STORED_TYPES), 'store_days report type');

type DayRow = Omit<DayRecord, 'state'> & { state: string };

const toRecord = <T extends DayRow>(row: T) => ({ ...row, state: stateParser.parse(row.state) });
const recordColumns = (db: Db) =>
  db`state, checked_at AS "checkedAt", empty_seen_at AS "emptySeenAt"`;

/** Earlier releases do not read subscription snapshots. */
const daysTable = (db: Db, reportType: StoredType) =>
  db(reportType === 'SUBSCRIPTION' ? 'store_subscription_days' : 'store_days');

export async function selectDays(db: Db, scope: VendorScope): Promise<Map<string, DayRecord>> {
  const rows = await db<(DayRow & { reportType: string; day: string })[]>`
    SELECT report_type AS "reportType", day::text, ${recordColumns(db)} FROM store_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
    UNION ALL
    SELECT report_type, day::text, ${recordColumns(db)} FROM store_subscription_days
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}`;
  return new Map(
    rows.map(({ reportType, day, ...record }) => [
      dayKey(typeParser.parse(reportType), day),
      toRecord(record),
    ]),
  );
}

export async function selectDayStates(
  db: Db,
  scope: VendorScope,
  reportType: StoredType,
): Promise<Map<string, DayState>> {
  const rows = await db<{ day: string; state: string }[]>`
    SELECT day::text, state FROM ${daysTable(db, reportType)}
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND report_type = ${reportType}`;
  return new Map(rows.map(({ day, state }) => [day, stateParser.parse(state)]));
}

export const selectUnreadable = (
  db: Db,
  scope: VendorScope,
  reportTypes: readonly [StoredType, ...StoredType[]],
  from: string,
) =>
  firstValue(db<{ last_error: string | null }[]>`
    SELECT last_error FROM ${daysTable(db, reportTypes[0])}
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND report_type = ANY (${reportTypes}) AND day >= ${from}
      AND (state = 'error' OR starts_with(last_error, report_type || ' ' || day::text))
    ORDER BY day DESC, report_type LIMIT 1`);

export type StoredDay = DayRecord & { contentHash: string | null; storedRows: number };

export async function selectDayForUpdate(tx: Tx, scope: DayScope): Promise<StoredDay | null> {
  const id = `${scope.orgId}/${scope.vendorNumber}/${scope.reportType}/${scope.day}`;
  await lockSubject(tx, 'storeDay', id);
  const [row] = await tx<(DayRow & Omit<StoredDay, 'state'>)[]>`
    SELECT ${recordColumns(tx)}, content_hash AS "contentHash", rows AS "storedRows"
    FROM ${daysTable(tx, scope.reportType)}
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}
      AND report_type = ${scope.reportType} AND day = ${scope.day}`;
  return row ? toRecord(row) : null;
}

export type DayUpdate = {
  state: DayState;
  checkedAt: Date;
  emptySeenAt: Date | null;
  lastError: string | null;
  /** Undefined keeps the day's rows. */
  facts: { contentHash: string | null; rows: number } | undefined;
};

export async function upsertDay(tx: Tx, scope: DayScope, update: DayUpdate): Promise<void> {
  const { state, checkedAt, emptySeenAt, lastError, facts } = update;
  const changed = facts !== undefined;
  await tx`
    INSERT INTO ${daysTable(tx, scope.reportType)} AS d (org_id, vendor_number, report_type, day, state, checked_at,
      empty_seen_at, last_error, content_hash, rows, facts_revision)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${scope.reportType}, ${scope.day}, ${state},
      ${checkedAt}, ${emptySeenAt}, ${lastError}, ${facts?.contentHash ?? null},
      ${facts?.rows ?? 0}, CASE WHEN ${changed} THEN nextval('store_fact_revisions') ELSE 0 END)
    ON CONFLICT (org_id, vendor_number, day, report_type) DO UPDATE SET state = excluded.state,
      checked_at = excluded.checked_at, empty_seen_at = excluded.empty_seen_at,
      last_error = excluded.last_error,
      content_hash = CASE WHEN ${changed} THEN excluded.content_hash ELSE d.content_hash END,
      rows = CASE WHEN ${changed} THEN excluded.rows ELSE d.rows END,
      facts_revision = CASE WHEN ${changed} THEN excluded.facts_revision ELSE d.facts_revision END`;
}

/** Days that hold no rows. */
export async function upsertEmptyDays(
  db: Db,
  { orgId, vendorNumber, reportType }: Omit<DayScope, 'day'>,
  states: ReadonlyMap<string, DayState>,
  at: Date,
): Promise<void> {
  if (states.size === 0) return;
  await db`
    INSERT INTO ${daysTable(db, reportType)} AS d
      (org_id, vendor_number, report_type, day, state, checked_at)
    SELECT ${orgId}, ${vendorNumber}, ${reportType}, day, state, ${at}
    FROM unnest(${[...states.keys()]}::date[], ${[...states.values()]}::text[]) AS s (day, state)
    ON CONFLICT (org_id, vendor_number, day, report_type) DO UPDATE SET state = excluded.state,
      checked_at = excluded.checked_at WHERE d.rows = 0`;
}

export async function deleteFacts(tx: Tx, scope: DayScope): Promise<void> {
  if (scope.reportType === 'SUBSCRIPTION') {
    await tx`
      DELETE FROM store_subscriptions WHERE org_id = ${scope.orgId}
        AND vendor_number = ${scope.vendorNumber} AND day = ${scope.day}`;
    return;
  }
  await tx`
    DELETE FROM store_facts WHERE org_id = ${scope.orgId}
      AND vendor_number = ${scope.vendorNumber} AND day = ${scope.day}
      AND report_type = ${scope.reportType}`;
}

/** As one JSON text, the cheapest for the driver. */
export async function insertFacts(
  tx: Tx,
  scope: DayScope,
  facts: readonly SalesFact[],
): Promise<void> {
  const { orgId, vendorNumber, reportType, day } = scope;
  await tx`
    INSERT INTO store_facts (org_id, vendor_number, report_type, day, line, store_id,
      parent_store_id, sku, parent_sku, title, product_type, country, device, units,
      bundle_credit, is_renewal, trials, proceeds, proceeds_currency, customer_spend, customer_currency)
    SELECT ${orgId}, ${vendorNumber}, ${reportType}, ${day}::date, "line", "storeId",
      "parentStoreId", "sku", "parentSku", "title", "productType", "country", "device", "units",
      "bundleCredit", "isRenewal", "trials", "proceeds", "proceedsCurrency", "customerSpend", "customerCurrency"
    FROM json_to_recordset(${JSON.stringify(facts)}::text::json) AS fact ("line" integer,
      "storeId" text, "parentStoreId" text, "sku" text, "parentSku" text, "title" text,
      "productType" text, "country" text, "device" text, "units" numeric, "bundleCredit" boolean,
      "isRenewal" boolean, "trials" integer, "proceeds" numeric, "proceedsCurrency" text, "customerSpend" numeric,
      "customerCurrency" text)`;
}

export const insertSubscriptions = (
  tx: Tx,
  { orgId, vendorNumber, day }: DayScope,
  facts: readonly SubscriptionFact[],
) =>
  done(tx`
    INSERT INTO store_subscriptions (org_id, vendor_number, day, line, store_app_id,
      subscription_id, name, group_id, duration, offer_name, offer_id, customer_price,
      customer_currency, proceeds, proceeds_currency, preserved_price, country, device, plan, paid,
      trials, opt_ins, grace, billing_retry)
    SELECT ${orgId}, ${vendorNumber}, ${day}::date, "line", "storeAppId", "subscriptionId", "name",
      "groupId", "duration", "offerName", "offerId", "customerPrice", "customerCurrency",
      "proceeds", "proceedsCurrency", "preservedPrice", "country", "device", "plan", "paid",
      "trials", "optIns", "grace", "billingRetry"
    FROM json_to_recordset(${JSON.stringify(facts)}::text::json) AS fact ("line" integer,
      "storeAppId" text, "subscriptionId" text, "name" text, "groupId" text, "duration" text,
      "offerName" text, "offerId" text, "customerPrice" numeric, "customerCurrency" text,
      "proceeds" numeric, "proceedsCurrency" text, "preservedPrice" boolean, "country" text,
      "device" text, "plan" text, "paid" integer, "trials" integer, "optIns" integer,
      "grace" integer, "billingRetry" integer)`);
