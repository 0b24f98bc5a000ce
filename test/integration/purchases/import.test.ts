import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importPurchases } from '../../../src/modules/purchases/import/step.ts';
import { importPurchasesFile } from '../../../src/modules/purchases/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store, deps } = service;

const path = (app: PurchaseApp, rest = '') => `/v1/apps/${app.appId}/purchases${rest}`;
const send = (app: PurchaseApp, lines: string[]) =>
  service.call(path(app, '/import'), {
    headers: app.org.key,
    body: { csv: ['userId,originalTransactionId', ...lines].join('\n') },
  });
const read = async (app: PurchaseApp, id: string, query = '') =>
  (await service.call(path(app, `/import/${id}${query}`), { headers: app.org.key })).body;
const step = (app: PurchaseApp) =>
  importPurchases({ deps, requestId: 'test' }, { orgId: app.org.orgId, appId: app.appId });
const entitled = async (app: PurchaseApp, userId: string) =>
  (await service.call(path(app, `/entitlement?userId=${userId}`), { headers: app.org.key })).body;
const known = (app: PurchaseApp, options = {}) => {
  const subscription = buy(app, clock.now - DAY, options);
  store.addTransaction(subscription.newest);
  return subscription.originalTransactionId;
};
const connected = async () => {
  const app = await service.app();
  await service.connect(app);
  return app;
};

describe('an import', () => {
  test('verifies each purchase with the store and binds it to its user', async () => {
    const app = await connected();
    const [one, two] = [known(app), known(app, { environment: 'Sandbox' })];
    const made = await send(app, [`u1,${one}`, `u2,${two}`]);
    expect(made.status).toBe(202);
    expect(made.body).toMatchObject({ status: 'running', total: 2, waiting: 2, bound: 0 });
    expect(await step(app)).toEqual({ rows: 2, goesOn: false });
    expect(await read(app, made.body.id)).toMatchObject({
      status: 'finished',
      total: 2,
      waiting: 0,
      bound: 2,
      refused: 0,
      lastError: null,
      refusals: [],
    });
    expect(await entitled(app, 'u1')).toMatchObject({
      status: 'active',
      originalTransactionId: one,
      environment: 'Production',
    });
    expect(await entitled(app, 'u2')).toMatchObject({ status: 'active', environment: 'Sandbox' });
    const [{ wanted } = { wanted: 0 }] = await deps.sql<{ wanted: number }[]>`
      SELECT count(*) AS wanted FROM purchase_chains
      WHERE app_id = ${app.appId} AND history_read_at IS NULL`;
    expect(wanted).toBe(2);
  });

  test('refuses line by line, and says which and why', async () => {
    const app = await connected();
    const other = await service.app(app.org);
    const token = '0b7d1a52-38b8-4f1e-9e30-7c1f0a6d2c11';
    const held = known(app);
    await send(app, [`first,${held}`]);
    await step(app);
    const lines = [
      'nothing',
      'u2,404404404',
      `u3,${known(other)}`,
      `second,${held}`,
      `11111111-1111-4111-8111-111111111111,${known(app, { appAccountToken: token })}`,
      `first,${held}`,
    ];
    const { body } = await send(app, lines);
    await step(app);
    const done = await read(app, body.id);
    expect(done).toMatchObject({ status: 'finished', total: 6, bound: 1, refused: 5 });
    expect(
      done.refusals.map((one: { line: number; reason: string }) => [one.line, one.reason]),
    ).toEqual([
      [2, 'invalid_line'],
      [3, 'unknown_transaction'],
      [4, 'other_app'],
      [5, 'held_by_another'],
      [6, 'other_account'],
    ]);
    const page = await read(app, body.id, '?limit=2&afterLine=2');
    expect([page.refusals.length, page.nextAfterLine]).toEqual([2, 4]);
    expect((await entitled(app, 'first')).status).toBe('active');
    expect((await entitled(app, 'second')).status).toBe('none');
  });

  test('a value that is no id holds nothing, and is refused', async () => {
    const app = await connected();
    const { body } = await send(app, [`undefined,${known(app)}`, `00000000,${known(app)}`]);
    await step(app);
    expect(await read(app, body.id)).toMatchObject({ total: 2, bound: 0, refused: 2 });
  });

  test('stops where the store fails and goes on from there, no line twice', async () => {
    const app = await connected();
    const lines = Array.from({ length: 30 }, (_, index) => `u${index},${known(app)}`);
    const { body } = await send(app, lines);
    const before = store.production.requests.length;
    store.production.faults.next(
      { kind: 'status', status: 503 },
      { match: /transactions\/\d{4,}/ },
    );
    await expect(step(app)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect((await read(app, body.id)).lastError).toContain('503');
    while ((await step(app)).goesOn);
    expect(await read(app, body.id)).toMatchObject({
      status: 'finished',
      bound: 30,
      lastError: null,
    });
    const asked = store.production.requests
      .slice(before)
      .filter((line) => /transactions\/\d{4,}/.test(line));
    expect([new Set(asked).size, asked.length]).toEqual([30, 31]);
  });

  test('waits for a purchase key, and says so', async () => {
    const app = await service.app();
    const { body } = await send(app, [`u1,${known(app)}`]);
    expect(await step(app)).toEqual({ rows: 0, goesOn: false });
    expect(await read(app, body.id)).toMatchObject({
      status: 'running',
      waiting: 1,
      lastError: 'No purchase key is connected for the app.',
    });
    await service.connect(app);
    await step(app);
    expect(await read(app, body.id)).toMatchObject({ status: 'finished', bound: 1 });
  });

  test('takes no purchase of an erased person, and forgets who was in it', async () => {
    const app = await connected();
    const { body } = await send(app, [`gone,${known(app)}`, `u2,${known(app)}`]);
    const erased = await service.call(`/v1/apps/${app.appId}/people/gone`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(erased.status).toBe(204);
    const later = await send(app, [`gone,${known(app)}`]);
    await step(app);
    const refusals = [
      ...(await read(app, body.id)).refusals,
      ...(await read(app, later.body.id)).refusals,
    ];
    expect(refusals).toMatchObject([
      { line: 2, userId: 'erased', reason: 'erased_person' },
      { line: 2, reason: 'erased_person' },
    ]);
    expect((await entitled(app, 'u2')).status).toBe('active');
  });

  test('takes none of an erased account in another spelling either', async () => {
    const app = await connected();
    const account = crypto.randomUUID();
    const erased = await service.call(`/v1/apps/${app.appId}/people/${account}`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(erased.status).toBe(204);
    const { body } = await send(app, [`${account.toUpperCase()},${known(app)}`]);
    await step(app);
    expect((await read(app, body.id)).refusals).toMatchObject([
      { line: 2, userId: 'erased', reason: 'erased_person' },
    ]);
  });

  test('is refused without its header, and is the organization’s own', async () => {
    const app = await connected();
    const headless = await service.call(path(app, '/import'), {
      headers: app.org.key,
      body: { csv: 'u1,100' },
    });
    expect(headless.body.error.hint).toContain('csv: the first line');
    const { body } = await send(app, ['u1,100']);
    const other = await service.app();
    expect(
      (await service.call(path(other, `/import/${body.id}`), { headers: other.org.key })).status,
    ).toBe(404);
  });
});

describe('a file of purchases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'purchases-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const ctx = { deps, requestId: 'test' };

  test('as RevenueCat exports it gives each purchase to who holds it last', async () => {
    const app = await connected();
    const [kept, moved, nobodys] = [known(app), known(app), known(app)];
    const anonymous = '$RCAnonymousID:87c6049c58069238dce29853916d624c';
    const columns =
      'rc_original_app_user_id;rc_last_seen_app_user_id_alias;country;product_identifier;start_time;store;is_sandbox;store_transaction_id;original_store_transaction_id;custom_subscriber_attributes';
    const row = (
      original: string,
      alias: string,
      at: string,
      id: string,
      rest = 'app_store;false',
    ) => `${original};${alias};SE;yearly;${at};${rest};${id}9;${id};"{""a"";""b"", c}"`;
    const csv = [
      columns,
      row('u-new', 'u-new', '2026-02-01 08:00:00', moved),
      row(anonymous, 'u-kept', '2026-01-01 08:27:06', kept),
      row('u-old', 'u-old', '2026-01-01 08:00:00', moved),
      row(anonymous, anonymous, '2026-01-01 08:27:06', nobodys),
      row('u-play', 'u-play', '2026-01-01 08:27:06', 'GPA.3394-1', 'play_store;false'),
      row('u-test', 'u-test', '2026-01-01 08:27:06', '2000000777', 'app_store;true'),
      row('u-bad', 'u-bad', '2026-01-01 08:27:06', ''),
    ].join('\n');
    const path = fileOf('transactions.csv.gz', gzipSync(csv));
    const input = { appId: app.appId, path };
    const counts = {
      rows: 7,
      purchases: 2,
      leftOut: { anonymous: 1, other_store: 1, sandbox: 1, invalid: 1 },
    };
    expect(await importPurchasesFile(ctx, { ...input, dryRun: true })).toEqual({
      ...counts,
      importIds: [],
    });
    expect(await importPurchasesFile(ctx, input)).toMatchObject(counts);
    await step(app);
    expect(await entitled(app, 'u-kept')).toMatchObject({ originalTransactionId: kept });
    expect(await entitled(app, 'u-new')).toMatchObject({ originalTransactionId: moved });
    expect(await entitled(app, 'u-old')).toMatchObject({ status: 'none' });
  });

  test('of any length is handed over in parts', async () => {
    const app = await connected();
    const count = 25_001;
    const lines = Array.from({ length: count }, (_, index) => `user-${index},3${index}`);
    const csv = `userId,originalTransactionId\r\n${lines.join('\r\n')}\r\n`;
    const made = await importPurchasesFile(ctx, {
      appId: app.appId,
      path: fileOf('many.csv', csv),
    });
    expect(made).toMatchObject({ rows: count, purchases: count, leftOut: {} });
    const parts = await Promise.all(made.importIds.map((id) => read(app, id)));
    expect(parts.map((part) => part.total)).toEqual([10_000, 10_000, 5_001]);
    await deps.sql`DELETE FROM purchase_import_rows WHERE app_id = ${app.appId}`;
  });

  test('that is not UTF-8 is refused with the line, and hands nothing over', async () => {
    const app = await connected();
    const csv = `userId,originalTransactionId\nu-1,${known(app)}\nu-caf\u00e9,${known(app)}\n`;
    const path = fileOf('latin.csv', Buffer.from(csv, 'latin1'));
    await expect(importPurchasesFile(ctx, { appId: app.appId, path })).rejects.toThrow(
      'latin.csv, line 3: it is not UTF-8',
    );
  });

  test('of other columns is refused with those that are known', async () => {
    const app = await connected();
    const path = fileOf('other.csv', 'id,email\n1,a@example.com\n');
    await expect(importPurchasesFile(ctx, { appId: app.appId, path })).rejects.toThrow(
      'The columns of the file are not known.',
    );
  });
});
