import { describe, expect, test } from 'bun:test';
import {
  eraseFromEvents,
  finishErasures,
} from '../../../src/event-store/people/erasure-queries.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import { PURCHASES_OF_PERSON } from '../../../src/modules/purchases/person-records-queries.ts';
import { erasePlaces } from '../../../src/storage/stored-rows.ts';
import { removePurchases } from '../../../src/modules/purchases/retention.ts';
import { unlinkDeletedApp } from '../../../src/modules/sales/collection/apps-queries.ts';
import { newId } from '../../../src/shared/ids.ts';
import { textList } from '../../../src/storage/duckdb-literal.ts';
import { deleteRowsOfApp } from '../../support/app-rows.ts';
import { openEventStore } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { livePaths, maintain, merge, someEvents, take } from '../../support/lake/events.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { checkNoOrphan } from '../../support/lake/orphans.ts';
import { currentFiles, readTable } from '../../support/lake/read-table.ts';
import { testDatabase } from '../../support/postgres.ts';
import { randomFrom } from '../../support/random.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const lake = lakeOf(sql, store);
const ORG = 'org_1';
const APPS = [newId('app'), newId('app')] as const;
for (const appId of APPS) {
  await sql`INSERT INTO apps (app_id, org_id, slug, display_name, region, status, source, created_at)
    VALUES (${appId}, ${ORG}, ${appId}, 'App', 'eu', 'active', 'imported', now())`;
}

const read = (table: string) =>
  readTable(sql, { objects: store.objects, base: `file://${store.dir}/objects` }, table);
const filesOf = async (table: string) =>
  currentFiles(await read(table))
    .map(({ path }) => path)
    .toSorted();
type Row = Record<string, unknown>;
const ask = async (query: string): Promise<Row[]> =>
  (await store.connection.runAndReadAll(query)).getRowObjectsJson();
const atPaths = (paths: readonly string[]) =>
  `read_parquet([${textList(paths.map((path) => `${store.dir}/objects/${path}`))}], union_by_name = true)`;
const rowsOf = async (table: string, columns: string, order: string) => {
  const files = await filesOf(table);
  return files.length === 0
    ? []
    : ask(`SELECT ${columns} FROM ${atPaths(files)} ORDER BY ${order}`);
};

/** Whether any Parquet file of the store, of any snapshot, has this text in any column. */
async function isAnywhere(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { key } of await store.objects.list('')) {
    if (!key.endsWith('.parquet')) continue;
    const [row] = await ask(
      `SELECT count(*) AS n FROM ${atPaths([key])} t WHERE contains(t::VARCHAR, '${text}')`,
    );
    if (Number(row!.n) > 0) found.push(key);
  }
  return found;
}

/** What is over a day and two hours later: earlier snapshots, and files that only they had. */
async function aDayLater(): Promise<void> {
  await sql`UPDATE event_leases SET expires_at = now() - interval '1 minute'`;
  await sql`UPDATE lake_snapshots SET timestamp_ms = timestamp_ms - ${26 * 3_600_000}`;
  await lake.publish();
  await lake.sweep();
}

type Fact = { day: string; line: number; storeId: string; parent: string | null; sku: string };
type Money = { units: string; proceeds: string; currency: string; spend: string };

async function collect(facts: readonly (Fact & Money)[]): Promise<void> {
  for (const { day, line, storeId, parent, sku, units, proceeds, currency, spend } of facts) {
    await sql`
      INSERT INTO store_days (org_id, vendor_number, report_type, day, state, checked_at, rows,
        facts_revision)
      VALUES (${ORG}, '8', 'SALES', ${day}, 'reported', now(), 1, 1) ON CONFLICT DO NOTHING`;
    await sql`
      INSERT INTO store_facts (org_id, vendor_number, day, report_type, line, store_id,
        parent_store_id, sku, title, product_type, country, device, units, bundle_credit, trials,
        proceeds, proceeds_currency, customer_spend, customer_currency)
      VALUES (${ORG}, '8', ${day}, 'SALES', ${line}, ${storeId}, ${parent}, ${sku}, 'Title', 'IAY',
        'DE', 'iPhone', ${units}, false, 0, ${proceeds}, ${currency}, ${spend}, ${currency})`;
  }
}

/** Digits after the point of a currency's unit, and a rounding by hand: half to even. */
const DIGITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
function minorByHand(amount: string, currency: string): number {
  const millionths = Math.round(Number(amount) * 1e6);
  const unit = 10 ** (6 - DIGITS[currency]!);
  const floor = Math.floor(millionths / unit);
  const rest = millionths - floor * unit;
  if (rest * 2 === unit) return floor % 2 === 0 ? floor : floor + 1;
  return rest * 2 > unit ? floor + 1 : floor;
}

describe('sales', () => {
  test('are the rows of the reports, to the last one, in minor units of their currency', async () => {
    await sql`
      INSERT INTO store_apps (org_id, store_app_id, name, bundle_id, sku, app_id)
      VALUES (${ORG}, '1001', 'One', 'com.one', 'ONE', ${APPS[0]}),
        (${ORG}, '1002', 'Two', 'com.two', 'TWO', NULL)`;
    const random = randomFrom(21);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    const amount = () =>
      `${random() < 0.2 ? '-' : ''}${pick(['0', '9.99', '0.005', '0.015', '12.3456', '700', '1.0005'])}`;
    const facts = Array.from({ length: 60 }, (_, line) => ({
      day: pick(['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01']),
      line,
      ...pick([
        { storeId: '1001', parent: null, sku: 'ONE' },
        { storeId: '7', parent: '1002', sku: 'coins' },
        { storeId: '9', parent: null, sku: 'TWO' },
        { storeId: '11', parent: null, sku: 'unknown' },
      ]),
      ...{ units: pick(['1', '-1', '3']), proceeds: amount(), spend: amount() },
      currency: pick(Object.keys(DIGITS)),
    }));
    await collect(facts);
    expect(await lake.publish()).toContain('sales');
    const rows = await rowsOf(
      'sales',
      'line, day::VARCHAR AS day, app_id, store_app_id, units::DOUBLE AS units, proceeds::DOUBLE AS proceeds, proceeds_minor, proceeds_currency, customer_spend_minor',
      'line',
    );
    const appOf: Record<string, [string | null, string | null]> = {
      ...{
        '1001': [APPS[0], '1001'],
        '7': [null, '1002'],
        '9': [null, '1002'],
        '11': [null, null],
      },
    };
    expect(rows).toEqual(
      facts.map(({ line, day, storeId, units, proceeds, currency, spend }) => ({
        ...{ line, day, app_id: appOf[storeId]![0], store_app_id: appOf[storeId]![1] },
        ...{ units: Number(units), proceeds: Number(proceeds) + 0, proceeds_currency: currency },
        proceeds_minor: String(minorByHand(proceeds, currency) + 0),
        customer_spend_minor: String(minorByHand(spend, currency) + 0),
      })),
    );
    expect(
      new Set(currentFiles(await read('sales')).map(({ partition }) => partition.day_month)),
    ).toEqual(new Set([672, 673, 674]));
  });

  test('are written anew by the month, and not at all when nothing changed', async () => {
    const before = await filesOf('sales');
    expect(await lake.publish()).toEqual([]);
    expect(await filesOf('sales')).toEqual(before);
    await sql`DELETE FROM store_facts WHERE day = '2026-02-28'`;
    await sql`UPDATE store_apps SET checked_at = now()`;
    expect(await lake.publish()).toEqual(['sales']);
    const after = await filesOf('sales');
    expect(after.filter((path) => !before.includes(path))).toHaveLength(1);
    expect(before.filter((path) => !after.includes(path))).toHaveLength(1);
    const [{ n }] = await sql<[{ n: number }]>`SELECT count(*) AS n FROM store_facts`;
    expect(await rowsOf('sales', 'line', 'line')).toHaveLength(n);
  });

  test('that take long to write do not make the lake claim events that came meanwhile', async () => {
    const through = async () => {
      const [row] = await sql<{ at: Date }[]>`SELECT data_through AS at FROM lake_publisher`;
      return row!.at;
    };
    await sql`INSERT INTO event_hosts (owner_id, through) VALUES ('host', now() - interval '1 hour')`;
    const [host] = await sql<{ through: Date }[]>`SELECT through FROM event_hosts`;
    await sql`UPDATE store_facts SET units = units + 1 WHERE day = '2026-01-31'`;
    const { publisher } = lake;
    const changed = await publishLake({
      ...publisher,
      duck: async () => {
        await sql`UPDATE event_hosts SET through = now()`;
        return publisher.duck();
      },
    });
    expect(changed).toEqual(['sales']);
    expect(await through()).toEqual(host!.through);
    await lake.publish();
    expect((await through()).getTime()).toBeGreaterThan(host!.through.getTime());
    await sql`DELETE FROM event_hosts`;
  });

  test('of a deleted app stay with the account, without its id', async () => {
    await unlinkDeletedApp(sql, ORG, APPS[0]);
    expect(await lake.publish()).toEqual(['sales']);
    const rows = await rowsOf('sales', 'DISTINCT app_id', '1');
    expect(rows).toEqual([{ app_id: null }]);
    await aDayLater();
    expect(await isAnywhere(APPS[0])).toEqual([]);
  });
});

async function buy(
  appId: string,
  id: string,
  { at, milliunits, currency }: { at: string; milliunits: number | null; currency: string | null },
  people: readonly [kind: string, person: string][],
): Promise<void> {
  const snapshot = {
    ...{ productId: 'pro.month', type: 'subscription', purchasedAt: Date.parse(at) },
    ...{ expiresAt: null, revokedAt: null, ownership: 'purchased', freeTrial: false },
    ...{ upgraded: false, appAccountToken: `token-of-${id}` },
  };
  await sql`INSERT INTO purchase_chains
    (app_id, org_id, environment, original_transaction_id, checked_at, app_account_token)
    VALUES (${appId}, ${ORG}, 'Production', ${id}, now(), ${`token-of-${id}`})`;
  await sql`INSERT INTO purchase_transactions (app_id, org_id, environment, transaction_id,
      original_transaction_id, snapshot, signed_ms, price_milliunits, currency, signed_text)
    VALUES (${appId}, ${ORG}, 'Production', ${id}, ${id}, ${JSON.stringify(snapshot)}::text::jsonb,
      1700000000000, ${milliunits}, ${currency}, ${`signed-text-of-${id}`})`;
  for (const [index, [kind, person]] of people.entries()) {
    await sql`INSERT INTO purchase_links (app_id, org_id, environment, original_transaction_id, kind,
        person_id, linked_at)
      VALUES (${appId}, ${ORG}, 'Production', ${id}, ${kind}, ${person},
        now() + ${index} * interval '1 second')`;
  }
}

test('names of entitlements are there by product, as they stand now', async () => {
  const [app] = APPS;
  const named = (productIds: string[]) => sql`
    INSERT INTO purchase_entitlements (org_id, app_id, name, place, product_ids, updated_at)
    VALUES (${ORG}, ${app}, 'pro', 0, ${productIds}, now())
    ON CONFLICT (org_id, app_id, name) DO UPDATE SET product_ids = excluded.product_ids`;
  const products = async () =>
    (await rowsOf('entitlements', 'org_id, app_id, name, product_id', 'product_id')).map((row) => [
      ...[row.org_id, row.app_id, row.name, row.product_id],
    ]);
  await named(['pro.monthly', 'pro.yearly']);
  expect(await lake.publish()).toContain('entitlements');
  expect(await products()).toEqual([
    [ORG, app, 'pro', 'pro.monthly'],
    [ORG, app, 'pro', 'pro.yearly'],
  ]);
  expect(await lake.publish()).toEqual([]);
  await named(['pro.yearly']);
  expect(await lake.publish()).toEqual(['entitlements']);
  expect(await products()).toEqual([[ORG, app, 'pro', 'pro.yearly']]);
  await sql`DELETE FROM purchase_entitlements WHERE app_id = ${app}`;
  expect(await lake.publish()).toEqual(['entitlements']);
  expect(await products()).toEqual([]);
});

describe('purchases', () => {
  const columns =
    'transaction_id AS id, app_id, price_milliunits AS price, price_minor AS minor, currency, user_id, anonymous_id, epoch_ms(purchased_at) AS at';

  test('are the transactions with their first buyer, in the units that the store signed and minor ones', async () => {
    const [january, march] = ['2026-01-31T23:59:59.999Z', '2026-03-01T00:00:00.000Z'];
    const [app] = APPS;
    await buy(app, 't1', { at: january, milliunits: 10_990, currency: 'USD' }, [
      ['anonymous', 'device-1'],
      ['user', 'user-erased'],
      ['user', 'user-2'],
      ['token', 'token-1'],
    ]);
    await buy(app, 't2', { at: march, milliunits: 500_000, currency: 'JPY' }, [
      ['anonymous', 'device-2'],
    ]);
    await buy(app, 't3', { at: march, milliunits: 1_005, currency: 'KWD' }, []);
    await buy(APPS[1], 't4', { at: march, milliunits: null, currency: null }, [['user', 'user-4']]);
    expect(await lake.publish()).toEqual(['purchases']);
    const one = { app_id: app, user_id: null, anonymous_id: null, at: String(Date.parse(march)) };
    expect(await rowsOf('purchases', columns, 'id')).toEqual([
      {
        ...{ id: 't1', app_id: app, price: '10990', minor: '1099', currency: 'USD' },
        ...{ user_id: 'user-erased', anonymous_id: null, at: String(Date.parse(january)) },
      },
      {
        ...one,
        id: 't2',
        price: '500000',
        minor: '500',
        currency: 'JPY',
        anonymous_id: 'device-2',
      },
      { ...one, id: 't3', price: '1005', minor: '1005', currency: 'KWD' },
      {
        ...{ ...one, id: 't4', app_id: APPS[1], price: null, minor: null, currency: null },
        user_id: 'user-4',
      },
    ]);
    expect(await isAnywhere('token-')).toEqual([]);
    expect(await isAnywhere('signed-text')).toEqual([]);
    expect(await lake.publish()).toEqual([]);
  });

  test('forget an erased person and a deleted app, a day later in every snapshot', async () => {
    const scope = { orgId: ORG, appId: APPS[0] };
    await sql.begin(async (tx) => {
      await erasePlaces(tx, PURCHASES_OF_PERSON, scope, { ids: ['user-erased'], devices: [] });
    });
    expect(await lake.publish()).toEqual(['purchases']);
    const [first] = await rowsOf('purchases', columns, 'id');
    expect(first).toMatchObject({ id: 't1', user_id: 'user-2' });
    await removePurchases({ deps: { sql } }, { orgId: ORG, appId: APPS[1] });
    await deleteRowsOfApp({ sql }, { orgId: ORG, appId: APPS[1] });
    expect(await lake.publish()).toEqual(['purchases']);
    expect((await rowsOf('purchases', columns, 'id')).map(({ id }) => id)).toEqual([
      't1',
      't2',
      't3',
    ]);
    await aDayLater();
    expect(await isAnywhere('user-erased')).toEqual([]);
    expect(await isAnywhere('user-4')).toEqual([]);
    await checkNoOrphan(sql, store);
  });

  test('are noted while they are published: nothing that comes meanwhile is lost', async () => {
    const updated = Promise.withResolvers<void>();
    const published = Promise.withResolvers<void>();
    const committed = sql.begin(async (tx) => {
      await tx`UPDATE purchase_transactions SET price_milliunits = 1 WHERE transaction_id = 't2'`;
      updated.resolve();
      await published.promise;
    });
    await updated.promise;
    // Not yet committed: the publication neither waits for it nor takes its note.
    await sql`UPDATE purchase_transactions SET price_milliunits = 2 WHERE transaction_id = 't3'`;
    expect(await lake.publish()).toEqual(['purchases']);
    published.resolve();
    await committed;
    expect(await lake.publish()).toEqual(['purchases']);
    const prices = await rowsOf('purchases', 'price_milliunits AS price', 'transaction_id');
    expect(prices.map(({ price }) => price)).toEqual(['10990', '1', '2']);
  });
});

const exposure = (person: number, arm: string, extra = {}) =>
  event({
    ...{ name: '$exposure', anonymousId: `seen-${person}` },
    props: { experiment: 'exp_1', arm, ...extra },
  });

describe('exposures', () => {
  const columns = 'app_id, event_id, experiment_id, arm_id, is_overridden, anonymous_id, person_id';
  const expected = async () =>
    ask(`
      SELECT app_id, event_id, props->>'$.experiment' AS experiment_id, props->>'$.arm' AS arm_id,
        coalesce(props->>'$.overridden', 'false') = 'true' AS is_overridden, anonymous_id, person_id
      FROM ${atPaths(await livePaths(sql))} WHERE name = '$exposure' ORDER BY ALL`);

  test('are those of the events, through ingest, merges and erasures', async () => {
    const random = randomFrom(31);
    for (let round = 0; round < 8; round += 1) {
      await take(
        store,
        [APPS[0], someEvents(random, 8)],
        [APPS[1], [exposure(round, 'arm_a'), exposure(20 + round, 'arm_b', { overridden: true })]],
      );
      if (round % 4 === 2) await maintain(store.compaction, 2, 2);
      if (round % 4 === 3) await merge(store);
      if (round === 5) {
        const scope = { orgId: ORG, appId: APPS[1] };
        await sql.begin((tx) => eraseFromEvents(tx, scope, 'seen-1', []));
      }
      await lake.publish();
      expect(await rowsOf('exposures', columns, 'ALL')).toEqual(await expected());
    }
    expect((await rowsOf('exposures', columns, 'ALL')).length).toBeGreaterThan(10);
    await maintain(store.compaction);
    await finishErasures(sql);
    await lake.publish();
    const rows = await rowsOf('exposures', columns, 'ALL');
    expect(rows).toEqual(await expected());
    expect(rows.some(({ person_id }) => person_id === 'seen-1')).toBe(false);
    const files = await filesOf('exposures');
    expect(await lake.publish()).toEqual([]);
    expect(await filesOf('exposures')).toEqual(files);
    await checkNoOrphan(sql, store);
  });

  test('stay as they are while only other events come', async () => {
    const files = await filesOf('exposures');
    await take(store, [APPS[0], someEvents(randomFrom(32), 8)]);
    expect(await lake.publish()).toEqual(['events', 'people']);
    expect(await filesOf('exposures')).toEqual(files);
  });
});
