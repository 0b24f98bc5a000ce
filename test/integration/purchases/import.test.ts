import { describe, expect, test } from 'bun:test';
import { importPurchases } from '../../../src/modules/purchases/import/step.ts';
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
