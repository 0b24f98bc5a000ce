import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createApi } from '../../../clients/api/src/index.ts';
import { VIEW_LIST } from '../../../src/modules/sql/views.ts';
import { exportViews } from '../../../src/admin/analyst/export.ts';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { serve } from '../../../src/app/serve.ts';
import { startListener } from '../../../src/demo/listener.ts';
import { subscribe } from '../../../src/demo/notify.ts';
import { recordSimulatedChain } from '../../../src/demo/purchases.ts';
import { removeDemos } from '../../../src/demo/remove.ts';
import { makeDemo } from '../../../src/demo/run.ts';
import { sendMessages } from '../../../src/modules/messages/reconcile.ts';
import { connectedOrganizations } from '../../../src/modules/sales/collection/connection-queries.ts';
import { must } from '../../../src/shared/assert.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';
import { countFiles, countPrinted } from './analyst.ts';

/**
 * The ids of experiments deal the arms, so each run has other people: of these some 135 came in time to
 * be measured in the experiment that runs, and fewer than 80 once in a million runs.
 */
const PEOPLE = 540;
/** A store address that fails whoever asks it: the demo never does. */
const NOWHERE = 'http://127.0.0.1:1';

const said: string[] = [];
const print = (text: string): void => {
  said.push(text);
};
const listener = startListener(print);
afterAll(() => listener.stop());

let laterMs = 0;
const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), {
  temporal,
  env: {
    PORT: '0',
    STORE_API_URL: NOWHERE,
    FX_RATES_URL: 'file:///nowhere.csv',
    EGRESS_ALLOW: listener.address,
  },
  with: () => ({ clock: () => new Date(Date.now() + laterMs) }),
});
const { deps } = service;
await startTestWorker(deps, temporal);
await startTestQueries(deps);
const server = await serve(deps);
afterAll(() => server.stop());

const fill = (say: (text: string) => void = print) =>
  makeDemo(deps, server.address, { people: PEOPLE, seed: 3 }, listener, say);
const untilFilling = (text: string) => {
  if (text.startsWith('Filling')) throw new Error(text);
};

const made = await fill();
const { owner, apps } = made;
const [app] = apps;
if (!app) throw new Error('The demo has two apps.');
const headers = { 'x-api-key': owner.apiKey };
const get = async (path: string) => {
  const answer = await service.call(path, { headers });
  expect(answer.status).toBe(200);
  return answer.body;
};
/** Every field of an answer that says which amounts are in none of its sums. */
function leftOutOf(answer: unknown): [string, string][] {
  const found: [string, string][] = [];
  JSON.stringify(answer, (name, value) => {
    if (/^unconverted/.test(name)) found.push([name, JSON.stringify(value)]);
    return value;
  });
  return found;
}
const onDevice = (path: string) =>
  service.call(path, { headers: { 'x-service-key': app.serviceKey } });

describe('the demo', () => {
  test('has two apps, linked to their store apps', async () => {
    const listed = await get('/v1/apps');
    expect(listed.map((each: any) => each.slug).toSorted()).toEqual(['focus-timer', 'plant-diary']);
    expect(listed.every((each: any) => each.bundleId?.startsWith('com.example.'))).toBe(true);
  });

  test('has a month of people on three versions', async () => {
    const [funnel] = await get(`/v1/apps/${app.appId}/funnels`);
    const path = `/v1/apps/${app.appId}/funnels/${funnel.id}/report?days=60&breakdown=appVersion`;
    const report = await get(path);
    expect(report.people).toBe(PEOPLE);
    const versions = report.breakdown.values.map(({ value }: any) => value);
    expect(versions.toSorted()).toEqual(['2.3.1', '2.4.0', '2.4.1']);
  });

  test('has sales of a simulated store, with two days that are late', async () => {
    const analytics = await get('/v1/analytics?days=60');
    expect(analytics.byApp.map(({ label }: any) => label)).toEqual(['Focus Timer', 'Plant Diary']);
    expect(analytics.totals.downloads).toBeGreaterThan(4_000);
    expect(analytics.totals.refunds).toBeGreaterThan(0);
    expect(analytics.totals.trials).toBeGreaterThan(100);
    expect(analytics.freshness).toMatchObject({ gaps: 2, lastError: null });
    expect(await get('/v1/store/connection')).toMatchObject({ status: 'connected' });
  });

  test('leaves no amount out where no exchange rate of its days can be had', async () => {
    const own = `/v1/apps/${app.appId}`;
    const experiments = await get(`${own}/experiments`);
    const answers = await Promise.all(
      [
        '/v1/analytics?days=400',
        `${own}/insights?days=90`,
        `${own}/purchases/overview?days=90`,
        ...experiments.map(({ id }: any) => `${own}/experiments/${id}/report`),
      ].map(get),
    );
    const leftOut = answers.map((answer) => leftOutOf(answer));
    expect(leftOut.flat().length).toBeGreaterThan(100);
    expect(leftOut.flat().filter(([, amounts]) => amounts !== '[]' && amounts !== '0')).toEqual([]);
    expect(leftOut.slice(0, 3).every((each) => each.length > 0)).toBe(true);
    expect(answers[0]).not.toHaveProperty('rates');
    expect(answers[0].totals.proceedsMinor).toBeGreaterThan(0);
    expect(said.join('\n')).not.toMatch(/exchange rate/);
  });

  test('has subscribers in every state that one can be in', async () => {
    const statuses = await deps.sql<{ status: number; chains: number }[]>`
      SELECT status, count(*)::integer AS chains FROM purchase_chains
      WHERE app_id = ${app.appId} GROUP BY status ORDER BY status`;
    expect(statuses.map(({ status }) => status)).toEqual([1, 2, 3, 4, 5]);
    const [holder] = await deps.sql<{ id: string }[]>`
      SELECT l.person_id AS id FROM purchase_links l JOIN purchase_chains c
        USING (app_id, environment, original_transaction_id)
      WHERE c.app_id = ${app.appId} AND c.status = 1 AND l.kind = 'user'
        AND (c.digest->'current'->>'expiresAt')::numeric > extract(epoch FROM now()) * 1000
      LIMIT 1`;
    const entitlement = await onDevice(`/v1/purchases/entitlement?userId=${holder?.id}`);
    expect(entitlement.body).toMatchObject({ status: 'active', entitled: true });
  });

  test('has an experiment that ended and one that runs, with people in every arm', async () => {
    const experiments = await get(`/v1/apps/${app.appId}/experiments`);
    expect(experiments.map(({ status }: any) => status).toSorted()).toEqual(['running', 'stopped']);
    for (const { id } of experiments) {
      const report = await get(`/v1/apps/${app.appId}/experiments/${id}/report`);
      expect(report.mixedPeople).toBe(0);
      for (const arm of report.arms) expect(arm.people).toBeGreaterThan(20);
      expect(report.arms.some(({ converted }: any) => converted > 0)).toBe(true);
      // Chance deals the arms, so one of them may have fewer than the fifty that a figure takes.
      const measured = report.measured.metrics[0].arms;
      expect(report.measured.people).toBeGreaterThan(80);
      for (const { people, total } of measured) {
        if (people >= 50) expect(total).toBeGreaterThan(0);
        else expect(total).toBeNull();
      }
    }
  });

  test('has subscribers by the reports of its store, on the day before', async () => {
    const { latest } = await get('/v1/store/subscriptions?days=10');
    expect(latest.paid).toBeGreaterThan(300);
    expect(latest.trials).toBeGreaterThan(20);
    expect(latest.gracePeriod).toBeGreaterThan(0);
  });

  test('has marks of its releases, its experiments and notes', async () => {
    const { marks } = await get(`/v1/apps/${app.appId}/marks?days=60`);
    const kinds = marks.map(({ kind }: any) => kind);
    for (const kind of ['experiment_started', 'experiment_stopped', 'note', 'version']) {
      expect(kinds).toContain(kind);
    }
  });

  test('has a page in the store, whose reviews fall and recover with the versions', async () => {
    const own = `/v1/apps/${app.appId}`;
    const { versions } = await get(`${own}/reviews/summary`);
    const means = new Map<string, number>(
      versions.map(({ appVersion, mean }: any) => [appVersion, mean]),
    );
    expect(must(means.get('2.4.0'), 'reviews')).toBeLessThan(2.5);
    expect(must(means.get('2.4.1'), 'reviews')).toBeGreaterThan(3.5);
    const { funnel, requests } = await get(`${own}/store-reports`);
    expect(requests).toHaveLength(1);
    const counts = funnel.map(({ count }: any) => count);
    expect(counts).toEqual(counts.toSorted((a: number, b: number) => b - a));
    expect(counts.every((count: number) => count > 0)).toBe(true);
    // The store's two files tell the same.
    expect(
      funnel
        .map(({ other }: any) => other?.difference ?? 0)
        .every((by: number) => Math.abs(by) < 60),
    ).toBe(true);
  });

  test('has names for its products, flags, a segment and questions', async () => {
    const own = `/v1/apps/${app.appId}`;
    const { entitlements } = await get(`${own}/entitlements`);
    expect(entitlements).toEqual([
      {
        name: 'pro',
        productIds: ['com.example.focustimer.pro_yearly', 'com.example.focustimer.pro_monthly'],
      },
    ]);
    expect((await get(`${own}/offerings`)).defaultOffering).toBe('default');
    expect(await get(`${own}/flags`)).toHaveLength(3);
    expect((await get(`${own}/segments`)).length).toBeGreaterThan(0);
    expect((await get(`${own}/questions`)).length).toBe(2);
    expect(await get('/v1/sql/queries')).toHaveLength(1);
  });

  test('has logs, and webhooks, messages and a digest that its listener prints', async () => {
    expect((await get('/v1/logs')).total).toBe(10);
    await until('three webhooks', () => listener.received() >= 3);
    expect(said.some((text) => text.includes('webhook  entitlement.changed'))).toBe(true);
    await sendMessages(deps);
    const printed = (line: RegExp) => until(`${line}`, () => said.some((text) => line.test(text)));
    await printed(/digest {3}Morning digest of \d/);
    await printed(/Focus Timer: New subscriber: com\.example\.focustimer\.pro_/);
    await printed(/Focus Timer: Refund: /);
    await printed(/Focus Timer: Billing problem: /);
  });

  test('is asked in SQL: the same figures, in a session, in files and in any DuckDB', async () => {
    await compactEverything(deps);
    const session = await openAnalystSession(deps, owner.organizationId);
    const one = async (sql: string) => (await session.ask(sql)).rows[0];
    expect(await one('SELECT name FROM apps ORDER BY name LIMIT 1')).toEqual(['Focus Timer']);
    const people = `SELECT count(*) FROM people WHERE app_id = '${app.appId}'`;
    expect(await one(people)).toEqual([String(PEOPLE)]);
    const { totals } = await get('/v1/analytics?days=400');
    const sold = `SELECT sum(units) FILTER (WHERE product_type LIKE '1%' AND units > 0)::BIGINT,
      sum(trials)::BIGINT, count(*) FILTER (WHERE app_id IS NULL) FROM sales`;
    expect(await one(sold)).toEqual([String(totals.downloads), String(totals.trials), '0']);
    const chains = await deps.sql<{ status: string; chains: string }[]>`
      SELECT status::text, count(*)::text AS chains FROM purchase_chains
      WHERE org_id = ${owner.organizationId} GROUP BY 1 ORDER BY 2, 1`;
    const statuses = await session.ask(
      'SELECT count(*)::VARCHAR FROM subscriptions GROUP BY status ORDER BY 1, status',
    );
    expect(statuses.rows.flat()).toEqual(chains.map((each) => each.chains));
    const named = 'SELECT name, count(*)::INTEGER FROM entitlements GROUP BY name';
    expect((await session.ask(named)).rows).toEqual([['pro', 2]]);
    const held = `SELECT count(*) FROM subscriptions s JOIN people p USING (app_id, person_id)`;
    expect(Number((await one(held))?.[0])).toBeGreaterThan(5);
    const paid =
      'SELECT count(*) FROM purchases WHERE price > 0 AND NOT is_trial AND expires_at > purchased_at';
    expect(Number((await one(paid))?.[0])).toBeGreaterThan(20);
    const counts: Record<string, number> = {};
    for (const { name } of VIEW_LIST)
      counts[name] = Number((await one(`SELECT count(*) FROM ${name}`))?.[0]);
    await session.close();
    expect(await countPrinted(deps, owner.organizationId)).toEqual(counts);
    const folder = join(service.dataDir, 'exported');
    await exportViews(deps, owner.organizationId, folder);
    expect(await countFiles(folder)).toEqual(counts);
    await expect(exportViews(deps, owner.organizationId, folder)).rejects.toThrow('is not empty');
  });

  test('answers a sync without asking anybody, since its connection has no key', async () => {
    const synced = await service.call('/v1/analytics/sync', { headers, body: { force: true } });
    expect(synced.status).toBe(200);
    expect(synced.body).toMatchObject({ checked: 0, daysRemaining: 2, skipped: true });
    const refreshed = await service.call('/v1/store/apps/refresh', { method: 'POST', headers });
    expect(refreshed.body.error).toMatchObject({
      code: 'store_not_connected',
      message: 'The connection has no key.',
    });
    expect(await connectedOrganizations(deps.sql)).not.toContain(owner.organizationId);
    const connection = await get('/v1/store/connection');
    expect(connection).toMatchObject({ status: 'connected', lastError: null });
  });

  test('has its late days once their time has come, and each of them once', async () => {
    expect(await made.collect()).toEqual({ arrived: 0 });
    laterMs = 21 * 60_000;
    expect(await made.collect()).toEqual({ arrived: 2 });
    expect(await made.collect()).toEqual({ arrived: 0 });
    const { freshness } = await get('/v1/analytics?days=60');
    expect(freshness).toMatchObject({ gaps: 0, lastError: null });
    laterMs = 0;
  });

  test('subscribes no listener that the service may not reach', async () => {
    const api = createApi({ url: server.address, apiKey: owner.apiKey });
    const before = await api.listWebhooks();
    const elsewhere = { ...listener, address: '127.0.0.1:1' };
    expect(await subscribe(api, elsewhere)).toEqual({ isHeard: false });
    expect(await api.listWebhooks()).toEqual(before);
  });

  test('prints a login that works', async () => {
    expect(said.join('\n')).toContain(`password ${owner.password}`);
    const body = { email: owner.email, password: owner.password };
    expect((await service.call('/v1/auth/sign-in/email', { body })).status).toBe(200);
  });

  test('records unsigned purchases for its own organization only', async () => {
    const org = await createTestOrg(service);
    const { appId } = await createTestApp(service, org.orgId);
    const key = {
      store: 'app_store',
      orgId: org.orgId,
      appId,
      environment: 'Production',
      chainId: '1',
    } as const;
    const claim = {
      rule: 'keep',
      userId: 'u',
      anonymousId: null,
      actor: { kind: 'store' },
      at: new Date(),
    } as const;
    const recorded = recordSimulatedChain({ deps, requestId: 'test' }, key, { facts: [], claim });
    await expect(recorded).rejects.toThrow('is no organization of the demo');
  });

  test('is replaced by a second run, and leaves no row when it is removed', async () => {
    const other = await createTestOrg(service);
    // In its short form the second run ends where it would fill the new one.
    const again = process.env.TEST_FULL ? await fill() : null;
    if (!again) await expect(fill(untilFilling)).rejects.toThrow('Filling');
    const demos = await deps.sql`SELECT 1 FROM auth.organization WHERE name = 'Demo'`;
    expect(demos).toHaveLength(again ? 1 : 0);
    expect(await removeDemos({ deps, requestId: 'test' })).toBe(again ? 1 : 0);
    const orgIds = [owner, again?.owner].flatMap((each) => each?.organizationId ?? []);
    const tables = await deps.sql<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'org_id'`;
    for (const { name } of tables) {
      // Events are told of until they are gone from the files: docs/events.md, Forgetting.
      if (name.startsWith('event_')) continue;
      const left =
        await deps.sql`SELECT 1 FROM ${deps.sql(name)} WHERE org_id IN ${deps.sql(orgIds)}`;
      expect({ name, rows: left.length }).toEqual({ name, rows: 0 });
    }
    expect(await deps.sql`SELECT 1 FROM auth."user" WHERE email = ${owner.email}`).toHaveLength(0);
    expect(await deps.sql`SELECT 1 FROM auth.organization WHERE id = ${other.orgId}`).toHaveLength(
      1,
    );
    expect(await removeDemos({ deps, requestId: 'test' })).toBe(0);
  });
});
