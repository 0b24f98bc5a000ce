import { expect, test } from 'bun:test';
import { saveFolds, selectUnfolded } from '../../../src/modules/purchases/overview/queries.ts';
import { foldChains } from '../../../src/modules/purchases/overview/read-folds.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const database = await testDatabase();
const service = await startPurchaseService(database);
const { clock } = service;
const { sql } = service.deps;
clock.now = Date.UTC(2026, 9, 20, 12);

const tell = async (subscription: ReturnType<typeof buy>, app: PurchaseApp) => {
  for (const told of subscription.told) await service.deliver(subscription, told, app);
};
const figures = async (app: PurchaseApp, query = '') => {
  const path = `/v1/apps/${app.appId}/purchases/overview${query}`;
  const { status, body } = await service.call(path, { headers: app.org.key });
  expect(status).toBe(200);
  return body;
};
const unfolded = async (app: PurchaseApp) =>
  (
    await sql`
    SELECT 1 FROM purchase_chains
    WHERE app_id = ${app.appId} AND folded_revision <> facts_revision`
  ).length;

test('a question counts what was told before it, however it came into the database', async () => {
  const app = await service.app();
  const first = buy(app, clock.now - 5 * DAY, { periodMs: 30 * DAY });
  await tell(first, app);
  expect(await unfolded(app)).toBe(1);
  expect(await figures(app)).toMatchObject({ active: 1, willNotRenew: 0 });
  expect(await unfolded(app)).toBe(0);
  const second = buy(app, clock.now - 3 * DAY, { periodMs: 30 * DAY });
  second.act('cancel');
  await tell(second, app);
  expect(await figures(app)).toMatchObject({ active: 2, willNotRenew: 1 });

  // As an earlier release beside this one writes, which knows of no folds.
  const refundedAt = clock.now - DAY;
  await sql`
    UPDATE purchase_transactions
    SET snapshot = jsonb_set(snapshot, '{revokedAt}', to_jsonb(${refundedAt}::bigint))
    WHERE app_id = ${app.appId} AND original_transaction_id = ${first.originalTransactionId}`;
  expect(await unfolded(app)).toBe(1);
  const after = await figures(app);
  expect(after).toMatchObject({ active: 1, refunds: { byRefundDay: { count: 1 } } });

  // Texts that expire, and questions to the store without news, change no figure.
  await sql`UPDATE purchase_transactions SET signed_text = NULL WHERE app_id = ${app.appId}`;
  await sql`UPDATE purchase_chains SET checked_at = now() WHERE app_id = ${app.appId}`;
  expect(await unfolded(app)).toBe(0);
});

test('folds of another release are made anew when they are asked for', async () => {
  const app = await service.app();
  await tell(buy(app, clock.now - 5 * DAY, { periodMs: 30 * DAY }), app);
  await tell(buy(app, clock.now - 4 * DAY, { periodMs: 30 * DAY }), app);
  const { computedAt: _, ...before } = await figures(app);
  await sql`UPDATE purchase_folds SET fold = '{"format":99}' WHERE app_id = ${app.appId}`;
  expect(await figures(app)).toMatchObject(before);
  const kept = await sql<{ format: number }[]>`
    SELECT (fold->>'format')::integer AS format FROM purchase_folds WHERE app_id = ${app.appId}`;
  expect(kept.map(({ format }) => format)).toEqual([5, 5]);
});

test('folding many chains reads no other folds of their app, before any statistics', async () => {
  const app = await service.app();
  const scope = { orgId: app.org.orgId, appId: app.appId, environment: 'Production' } as const;
  await sql`
    INSERT INTO purchase_chains (app_id, org_id, environment, original_transaction_id, checked_at)
    SELECT ${app.appId}, ${app.org.orgId}, 'Production', n::text, now()
    FROM generate_series(1, 2000) n`;
  // One connection counts its reads.
  const own = connectTo(database.url, { maxConnections: 1, applicationName: 'test' });
  await foldChains({ sql: own }, scope);
  await own`SELECT pg_stat_force_next_flush()`;
  const [read] = await own<{ entries: number }[]>`
    SELECT sum(idx_tup_read)::bigint AS entries FROM pg_stat_user_indexes
    WHERE relname = 'purchase_folds'`;
  await own.end();
  expect(read!.entries).toBeLessThan(20_000);
  expect(await unfolded(app)).toBe(0);
});

test('a fold of facts that changed meanwhile is not kept', async () => {
  const app = await service.app();
  await tell(buy(app, clock.now - 5 * DAY, { periodMs: 30 * DAY }), app);
  const scope = { orgId: app.org.orgId, appId: app.appId, environment: 'Production' } as const;
  const [chain] = await selectUnfolded(sql, scope, 10);
  const { history: _, ...key } = chain!;
  await sql`
    UPDATE purchase_transactions SET currency = 'EUR' WHERE app_id = ${app.appId}`;
  const stale = { ...key, beginsMs: 0, untilMs: 0, fold: { format: 0 }, lengths: [] };
  await sql.begin((tx) => saveFolds(tx, [stale]));
  expect(await unfolded(app)).toBe(1);
  // Several at once, as processes do, come to the same.
  await Promise.all(Array.from({ length: 4 }, () => foldChains({ sql }, null)));
  expect(await unfolded(app)).toBe(0);
  expect(await figures(app)).toMatchObject({ active: 1 });
});

test('windows of the past count what ended since', async () => {
  const app = await service.app();
  await tell(buy(app, clock.now - 200 * DAY, { periodMs: 30 * DAY }), app);
  await tell(buy(app, clock.now - 5 * DAY, { periodMs: 30 * DAY }), app);
  expect(await figures(app)).toMatchObject({ active: 1 });
  const day = (ago: number) => new Date(clock.now - ago * DAY).toISOString().slice(0, 10);
  expect(await figures(app, `?from=${day(199)}&to=${day(180)}`)).toMatchObject({ active: 1 });
  expect(await figures(app, `?from=${day(150)}&to=${day(140)}`)).toMatchObject({ active: 0 });
  expect((await figures(app, `?from=${day(198)}&to=${day(165)}`)).subscriptions).toMatchObject({
    start: 1,
    churned: 1,
    end: 0,
  });
});
