import { afterAll, describe, expect, test } from 'bun:test';
import { selectRecentChanges } from '../../../src/modules/purchases/index.ts';
import { startChat } from '../../simulators/chat/server.ts';
import { testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestOrg,
} from '../../support/service.ts';

const chat = startChat();
afterAll(() => chat.stop());
const service = await startTestService(await testDatabase(), {
  env: { EGRESS_ALLOW: `127.0.0.1:${chat.port}` },
});
const { call, deps } = service;

const add = (org: TestOrg, body: object) =>
  call('/v1/digests/destinations', { headers: org.key, body: { name: 'Ours', ...body } });
const slack = (path: string) => ({ kind: 'slack', target: chat.url(`/services/T0/B0/${path}`) });

describe('digests', () => {
  test('are off until somebody switches them on', async () => {
    const { key: headers } = await createTestOrg(service);
    expect((await call('/v1/digests', { headers })).body).toEqual({
      isOn: false,
      timezone: 'UTC',
      hour: 8,
    });
    const body = { isOn: true, timezone: 'America/New_York', hour: 7 };
    expect((await call('/v1/digests', { method: 'PUT', headers, body })).body).toEqual(body);
    expect((await call('/v1/digests', { headers })).body).toEqual(body);
    const spelled = { ...body, timezone: 'america/new_york' };
    expect((await call('/v1/digests', { method: 'PUT', headers, body: spelled })).body).toEqual(
      body,
    );
  });

  test.each([
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset', { timezone: '+05:30' }, 'timezone'],
    ['an hour at which clocks change', { hour: 3 }, 'hour'],
    ['an hour after the morning', { hour: 13 }, 'hour'],
  ])('refuse %s', async (_, wrong, field) => {
    const { key: headers } = await createTestOrg(service);
    const body = { isOn: true, timezone: 'UTC', hour: 8, ...wrong };
    const answer = await call('/v1/digests', { method: 'PUT', headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toStartWith(`${field}: `);
  });
});

describe('messages at once', () => {
  const OFF = { alerts: false, subscribers: false, refunds: false, billingProblems: false };

  test('are off but for watches until somebody switches them on, for the own organization only', async () => {
    const [org, other] = [await createTestOrg(service), await createTestOrg(service)];
    const get = async ({ key: headers }: TestOrg) =>
      (await call('/v1/digests/messages', { headers })).body;
    expect(await get(org)).toEqual({ ...OFF, watches: true, quietHours: null });
    const body = { ...OFF, refunds: true, quietHours: null };
    await call('/v1/digests/messages', { method: 'PUT', headers: org.key, body });
    expect(await get(org)).toEqual({ ...body, watches: true });
    expect(await get(other)).toEqual({ ...OFF, watches: true, quietHours: null });
  });

  test.each([
    ['a zone that is none', { timezone: 'Mars/Olympus', fromHour: 22, toHour: 7 }, 'timezone'],
    ['an hour that no day has', { timezone: 'UTC', fromHour: 24, toHour: 7 }, 'fromHour'],
  ])('refuse %s', async (_, quietHours, field) => {
    const { key: headers } = await createTestOrg(service);
    const body = { ...OFF, quietHours };
    const answer = await call('/v1/digests/messages', { method: 'PUT', headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.hint).toContain(field);
  });
});

describe('a destination of digests', () => {
  test('is shown without its secret path, and kept sealed', async () => {
    const org = await createTestOrg(service);
    const made = await add(org, slack('very-secret'));
    expect(made).toMatchObject({
      status: 201,
      body: { kind: 'slack', shownTarget: `127.0.0.1:${chat.port}`, goneReason: null },
    });
    const list = await call('/v1/digests/destinations', { headers: org.key });
    expect(list.body).toEqual([made.body]);
    const [row] = await deps.sql`
      SELECT sealed_target FROM digest_destinations WHERE org_id = ${org.orgId}`;
    expect(JSON.stringify(row)).not.toContain('very-secret');
  });

  test('may not be a private address, nor the mail of a stranger', async () => {
    const org = await createTestOrg(service);
    const inside = await add(org, { kind: 'json', target: 'https://10.0.0.1/digest' });
    expect(inside.status).toBe(400);
    expect(inside.body.error.hint).toStartWith('target: ');
    // This service sends no mail at all.
    expect((await add(org, { kind: 'mail', target: 'stranger@example.com' })).status).toBe(503);
  });

  test('ten at most', async () => {
    const org = await createTestOrg(service);
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => add(org, slack(`${index}`))),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  test('of another organization is not there', async () => {
    const [own, other] = [await createTestOrg(service), await createTestOrg(service)];
    const { id } = (await add(other, slack('other'))).body;
    const path = `/v1/digests/destinations/${id}`;
    expect((await call(path, { method: 'DELETE', headers: own.key })).status).toBe(404);
    expect((await call(`${path}/test`, { method: 'POST', headers: own.key })).status).toBe(404);
    expect((await call(path, { method: 'DELETE', headers: other.key })).status).toBe(204);
    expect((await call('/v1/digests/destinations', { headers: other.key })).body).toEqual([]);
  });

  test.each([
    ['slack', '/services/T0/B0/test'],
    ['discord', '/api/webhooks/1/test'],
    ['json', '/json/test'],
  ])('%s takes a test message', async (kind, path) => {
    const org = await createTestOrg(service);
    const { id } = (await add(org, { kind, target: chat.url(path) })).body;
    const send = () =>
      call(`/v1/digests/destinations/${id}/test`, { method: 'POST', headers: org.key });
    expect((await send()).body).toEqual({ delivered: true, error: null });
    expect(chat.refused).toEqual([]);
    const last = chat.received.at(-1)!;
    expect(last.path).toBe(path);
    expect(last.body.text ?? last.body.content).toStartWith('This is a test');
    chat.misbehave(path, { status: 410, body: 'channel_is_archived' });
    expect((await send()).body).toEqual({ delivered: false, error: 'The address answered 410.' });
  });
});

describe('what the store said of purchases', () => {
  test('stands in one digest each: new subscribers, refunds and billing problems', async () => {
    const org = await createTestOrg(service);
    const { appId } = await createTestApp(service, org.orgId);
    const day = Date.UTC(2026, 10, 21, 7);
    const hours = (count: number) => day + count * 3_600_000;
    const buy = async (
      id: string,
      { at, revokedAt = null, retryAt = null, ...more }: any,
      original = id,
    ) => {
      const renewal = retryAt && JSON.stringify({ inBillingRetry: true });
      await deps.sql`INSERT INTO purchase_chains (app_id, org_id, environment,
          original_transaction_id, checked_at, renewal, renewal_signed_ms)
        VALUES (${appId}, ${org.orgId}, 'Production', ${original}, now(),
          ${renewal}::text::jsonb, ${retryAt}) ON CONFLICT DO NOTHING`;
      const snapshot = {
        productId: id,
        type: 'subscription',
        purchasedAt: at,
        revokedAt,
        ownership: 'purchased',
        freeTrial: false,
        ...more,
      };
      await deps.sql`INSERT INTO purchase_transactions (app_id, org_id, environment, transaction_id,
          original_transaction_id, snapshot, signed_ms, price_milliunits, currency)
        VALUES (${appId}, ${org.orgId}, 'Production', ${id}, ${original},
          ${JSON.stringify(snapshot)}::text::jsonb, ${revokedAt ?? at}, 9990, 'USD')`;
    };
    await buy('new', { at: hours(1) });
    await buy('renewal', { at: hours(2) }, 'new');
    await buy('shared', { at: hours(2), ownership: 'family_shared' });
    await buy('coins', { at: hours(2), type: 'consumable' });
    await buy('refunded', { at: hours(-100), revokedAt: hours(3) });
    await buy('retried', { at: hours(-100), retryAt: hours(4) });
    await buy('before', { at: hours(0) - 1 });
    await buy('after', { at: hours(24) });
    const scope = { orgId: org.orgId, appId };
    const of = (from: number, limit = 20) =>
      selectRecentChanges(deps.sql, scope, {
        from: new Date(hours(from)),
        to: new Date(hours(from + 24)),
        limit,
      });
    const { news, more } = await of(0);
    expect(news.map(({ kind, productId }) => [kind, productId])).toEqual([
      ['subscriber', 'new'],
      ['refund', 'refunded'],
      ['billing_problem', 'retried'],
    ]);
    expect(more).toBe(0);
    expect(await of(0, 2)).toMatchObject({ more: 1 });
    expect((await of(24)).news.map(({ productId }) => productId)).toEqual(['after']);
    const other = await createTestOrg(service);
    const foreign = { orgId: other.orgId, appId };
    const window = { from: new Date(hours(0)), to: new Date(hours(24)), limit: 20 };
    expect(await selectRecentChanges(deps.sql, foreign, window)).toEqual({ news: [], more: 0 });
  });
});
