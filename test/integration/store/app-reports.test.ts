import { afterEach, describe, expect, test } from 'bun:test';
import { refreshAppsDaily } from '../../../src/modules/sales/index.ts';
import { collectStoreReports } from '../../../src/modules/store-reports/index.ts';
import type { SimulatedFile } from '../../simulators/store/app-reports.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import { testDatabase } from '../../support/postgres.ts';
import { randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';

const database = await testDatabase();
const suite = await startStoreSuite(database);
const { account } = suite.store;
const HOUR_MS = 3_600_000;
const storeAppId = account.apps[0]!.id;
const DOWNLOADS = 'App Downloads Standard';
const ENGAGEMENT = 'App Store Discovery and Engagement Standard';

afterEach(() => {
  suite.setNow(NOON);
  account.reportRequests.splice(0);
  account.isAdmin = true;
  account.notOffered.clear();
  account.refused.clear();
  account.trouble.clear();
  account.pageSize = 200;
  account.retentionDays = 365;
});

type Count = { day: string; kind: string; source: string; count: number };
const HEADS: Readonly<Record<string, string[]>> = {
  [DOWNLOADS]: ['Download Type', 'Source Type', 'Territory', 'Counts'],
  [ENGAGEMENT]: ['Event', 'Page Type', 'Source Type', 'Territory', 'Counts', 'Unique Counts'],
};

function text(report: string, rows: readonly Count[], appId = storeAppId): string {
  const columns = ['Date', 'App Name', 'App Apple Identifier', ...HEADS[report]!];
  const lines = rows.map(({ day, kind, source, count }) => {
    const values: Record<string, string> = {
      Date: day,
      'App Name': 'App',
      'App Apple Identifier': appId,
      'Download Type': kind,
      Event: kind,
      'Page Type': 'Product page',
      'Source Type': source,
      Territory: 'US',
      Counts: String(count),
      'Unique Counts': '1',
    };
    return columns.map((name) => values[name]).join('\t');
  });
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
}

const file = (report: string, processingDate: string, rows: Count[]): SimulatedFile => ({
  report,
  processingDate,
  segments: [text(report, rows)],
});
const first = (day: string, count: number, source = 'App Store search'): Count => ({
  day,
  kind: 'First-time download',
  source,
  count,
});

async function linked() {
  account.keys.splice(0, 1, makeKey(crypto.randomUUID(), crypto.randomUUID().slice(0, 10)));
  const org = await createTestOrg(suite);
  await placeConnection(suite, org.orgId);
  await refreshAppsDaily(suite.ctx, { orgId: org.orgId });
  const app = await createTestApp(suite, org.orgId);
  await suite.call('/v1/store/apps/link', {
    method: 'POST',
    headers: org.key,
    body: { storeAppId, appId: app.appId },
  });
  const path = `/v1/apps/${app.appId}/store-reports`;
  const ask = (access = 'ONGOING') =>
    suite.call(`${path}/requests`, { method: 'POST', headers: org.key, body: { access } });
  let hours = 0;
  const collect = async () => {
    suite.setNow(new Date(NOON.getTime() + hours * HOUR_MS));
    hours += 4;
    await collectStoreReports(suite.ctx, { orgId: org.orgId });
  };
  const get = async () => (await suite.call(path, { headers: org.key })).body;
  const table = async (report = 'downloads') =>
    (await get()).tables.find((one: any) => one.report === report);
  return { org, ask, collect, get, table };
}

describe('the request of reports', () => {
  test('is made once, and one that is there or stopped is taken or made anew', async () => {
    const { ask } = await linked();
    expect((await ask()).status).toBe(201);
    expect(account.reportRequests).toHaveLength(1);
    const { id } = account.reportRequests[0]!;
    expect((await ask()).status).toBe(201);
    expect(account.reportRequests.map((one) => one.id)).toEqual([id]);
    account.reportRequests[0]!.isStopped = true;
    expect((await ask()).body).toMatchObject({ access: 'ONGOING', isStopped: false });
    expect(account.reportRequests).toHaveLength(1);
    expect(account.reportRequests[0]!.id).not.toBe(id);
    expect((await ask('ONE_TIME_SNAPSHOT')).status).toBe(201);
    expect(account.reportRequests).toHaveLength(2);
  });

  test('takes a key of an Admin, and says so', async () => {
    const { ask, get } = await linked();
    account.isAdmin = false;
    const { status, body } = await ask();
    expect([status, body.error.code]).toEqual([403, 'store_role_missing']);
    expect(body.error.hint).toContain('Admin');
    expect((await get()).requests).toEqual([]);
  });

  test('nothing is asked of the store before', async () => {
    const { collect } = await linked();
    const before = suite.store.requests.length;
    await collect();
    expect(suite.store.requests.length).toBe(before);
  });
});

describe('collected reports', () => {
  test('count of each day the rows of the newest file, whatever order files come in', async () => {
    const days = ['2026-07-08', '2026-07-09', '2026-07-10', '2026-07-11'];
    const sources = ['App Store search', 'Web referrer', 'App referrer'];
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = randomFrom(seed);
      const { ask, collect, table } = await linked();
      account.pageSize = 3;
      await ask();
      await ask('ONE_TIME_SNAPSHOT');
      const all = account.reportRequests.flatMap((request) =>
        ['2026-07-12', '2026-07-13', '2026-07-14'].map((date) => {
          const rows = days
            .filter(() => random() < 0.7)
            .flatMap((day) =>
              sources
                .filter((_, index) => index === 0 || random() < 0.5)
                .map((source) => first(day, 1 + Math.floor(random() * 50), source)),
            );
          return { request, rows, file: file(DOWNLOADS, date, rows) };
        }),
      );
      for (const each of all.toSorted(() => random() - 0.5)) {
        each.request.files.push(each.file);
        await collect();
      }
      const expected = new Map<string, number>();
      for (const day of days) {
        const newest = all
          .filter(({ rows }) => rows.some((row) => row.day === day))
          .toSorted((a, b) => {
            const rank = ({ request, file: { processingDate } }: typeof a) =>
              `${request.accessType === 'ONGOING' ? 1 : 0} ${processingDate}`;
            return rank(a) < rank(b) ? 1 : -1;
          })[0];
        for (const row of newest?.rows ?? []) {
          if (row.day === day) {
            expected.set(row.source, (expected.get(row.source) ?? 0) + row.count);
          }
        }
      }
      const { rows } = await table();
      expect(new Map(rows.map((row: any) => [row.source, row.count]))).toEqual(expected);
      account.reportRequests.splice(0);
    }
  });

  test('a report that is not offered, or refused, costs its own table only', async () => {
    const { ask, collect, table } = await linked();
    await ask();
    account.notOffered.add('App Crashes');
    account.refused.add('App Sessions Standard');
    account.reportRequests[0]!.files.push(file(DOWNLOADS, '2026-07-14', [first('2026-07-12', 7)]));
    await collect();
    expect((await table()).rows).toMatchObject([{ count: 7, source: 'App Store search' }]);
    expect((await table()).lastError).toBeNull();
    expect((await table('crashes')).lastError).toContain('does not offer');
    expect((await table('sessions')).lastError).not.toBeNull();
    account.notOffered.clear();
    account.refused.clear();
    await collect();
    expect((await table('crashes')).lastError).toBeNull();
  });

  test('a file without segments waits, one of another app is refused whole, a checksum only warns', async () => {
    const { ask, collect, table } = await linked();
    await ask();
    const { files } = account.reportRequests[0]!;
    files.push({ ...file(DOWNLOADS, '2026-07-13', []), segments: [] });
    await collect();
    expect((await table()).days).toEqual([]);
    files[0]!.segments = [
      text(DOWNLOADS, [first('2026-07-11', 3)]),
      text(DOWNLOADS, [first('2026-07-11', 4)], '1'),
    ];
    await collect();
    expect(await table()).toMatchObject({ days: [], rows: [] });
    expect((await table()).lastError).toContain('another app');
    files[0]!.segments[1] = text(DOWNLOADS, [first('2026-07-11', 4)]);
    files[0]!.checksum = '0'.repeat(32);
    await collect();
    expect(await table()).toMatchObject({ lastError: null, rows: [{ count: 7 }] });
  });

  test('a stopped request and a limited key are said, and what was collected stays', async () => {
    const { ask, collect, get, table } = await linked();
    await ask();
    account.reportRequests[0]!.files.push(file(DOWNLOADS, '2026-07-14', [first('2026-07-12', 7)]));
    await collect();
    account.reportRequests[0]!.isStopped = true;
    await collect();
    expect((await get()).requests[0]).toMatchObject({ isStopped: true });
    expect((await get()).requests[0].lastError).toContain('Request them again');
    account.trouble.set(account.keys[0]!.keyId, 'rate_limited');
    await collect();
    expect((await get()).requests[0].lastError).toContain('rate limiting');
    expect((await table()).rows).toMatchObject([{ count: 7 }]);
  });

  test('the funnel shows both sources and their difference, on the days that both have', async () => {
    const { org, ask, collect, get } = await linked();
    account.retentionDays = 8;
    await collectAll(suite, org.orgId);
    await ask();
    account.reportRequests[0]!.files.push(
      file(DOWNLOADS, '2026-07-14', [first('2026-07-12', 7), first('2026-07-13', 9)]),
      file(ENGAGEMENT, '2026-07-14', [
        { ...first('2026-07-12', 900), kind: 'Impression' },
        { ...first('2026-07-12', 80), kind: 'Page view' },
      ]),
    );
    await collect();
    const sales = await suite.call(
      `/v1/analytics?from=2026-07-12&to=2026-07-13&storeAppId=${storeAppId}`,
      { headers: org.key },
    );
    const there = sales.body.totals.downloads;
    const { funnel } = await get();
    const step = (name: string) => funnel.find((one: any) => one.step === name);
    expect(step('impression').count).toBe(900);
    expect(step('page_view').count).toBe(80);
    expect(step('download')).toEqual({
      step: 'download',
      count: 16,
      other: { source: 'sales', days: 2, here: 16, there, difference: 16 - there },
    });
    expect(step('trial')).toEqual({ step: 'trial', count: null, other: null });
  });
});
