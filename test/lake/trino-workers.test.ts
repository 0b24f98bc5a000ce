import { afterAll, describe, expect, test } from 'bun:test';
import { benchFiles } from '../../bench/support/event-files.ts';
import { createApp } from '../../src/app/routes.ts';
import { lakeFunnel } from '../../src/query/lake/funnel.ts';
import { latestSnapshot } from '../../src/query/lake/queries.ts';
import { trinoEngine } from '../../src/query/lake/trino.ts';
import { must } from '../../src/shared/assert.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { quietLog, temporaryFolder } from '../support/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { findTrino, type TrinoInstall } from '../support/lake/trino-install.ts';
import { startTrino } from '../support/lake/trino-server.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';
import { startTestService } from '../support/service.ts';

const install = await findTrino();
const token = 'a-token-of-the-lake-0123';
const EVENTS = isFullRun ? 10_000_000 : 300_000;
const owner = { orgId: 'org_bench', appId: 'app_bench' };

async function stage() {
  const database = await testDatabase();
  const { sql } = database;
  const dir = temporaryFolder('trino-workers');
  const { objects, startMs } = await benchFiles(sql, dir, EVENTS, owner);
  const { deps } = await startTestService(database, {
    env: { LAKE: 'on', LAKE_TOKEN: token },
    with: () => ({ objects }),
  });
  const app = createApp(deps, { isReady: () => true, stop: () => undefined });
  const server = Bun.serve({ port: 0, fetch: (request) => app.handle(request) });
  afterAll(() => server.stop(true));
  const { publisher, publish } = lakeOf(sql, {
    ...{ objects, dir, log: quietLog() },
  } as unknown as Parameters<typeof lakeOf>[1]);
  publisher.eventsUrl = `file://${dir}/events`;
  await publish();
  const snapshot = must(await latestSnapshot(sql), 'it was published');
  const catalog = {
    'iceberg.catalog.type': 'rest',
    'iceberg.rest-catalog.uri': `http://127.0.0.1:${server.port}/v1/lake`,
    'iceberg.rest-catalog.security': 'OAUTH2',
    'iceberg.rest-catalog.oauth2.token': token,
    'fs.hadoop.enabled': 'true',
  };
  const question = {
    ...{ ...owner, filters: {}, breakdown: null, trendFromUs: null, windowUs: 7 * DAY_MS * 1_000 },
    steps: [1, 2, 3, 4, 5].map((step) => ({ event: `step_${step}` })),
    fromUs: startMs * 1_000,
    startBeforeUs: (startMs + 31 * DAY_MS) * 1_000,
  };
  return { catalog, snapshot, question };
}

type Share = { bytes: number; rows: number };

/** What each node read, wherever in Trino's account of the query its tasks stand. */
function sharesOf(account: unknown, found = new Map<string, Share>()): Map<string, Share> {
  if (typeof account !== 'object' || account === null) return found;
  const { taskStatus, stats } = account as Record<string, any>;
  if (taskStatus?.nodeId && stats) {
    const bytes = Number.parseFloat(stats.physicalInputDataSize);
    const unit = /[kMG]?B$/.exec(stats.physicalInputDataSize)?.[0] ?? 'B';
    const share = found.get(taskStatus.nodeId) ?? { bytes: 0, rows: 0 };
    share.bytes += bytes * { B: 1, kB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 }[unit]!;
    share.rows += stats.physicalInputPositions;
    found.set(taskStatus.nodeId, share);
    return found;
  }
  for (const part of Object.values(account)) sharesOf(part, found);
  return found;
}

async function measure(
  found: TrinoInstall,
  { catalog, snapshot, question }: Awaited<ReturnType<typeof stage>>,
  workers: number,
) {
  const trino = await startTrino(found, { catalog, workers, pinned: true });
  try {
    const target = { baseUrl: trino.url, user: 'test', password: undefined };
    const engine = trinoEngine(
      { ...target, catalog: 'lake', schema: 'main' },
      { timeoutMs: 300_000, maxRows: 1_000, maxBytes: 1_000_000 },
    );
    const never = new AbortController().signal;
    let statement = '';
    const ask = () =>
      lakeFunnel(
        (text) => {
          statement = text;
          return engine.run(text, never);
        },
        snapshot,
        question,
      );
    await ask();
    const startedAt = performance.now();
    const answer = await ask();
    const ms = Math.round(performance.now() - startedAt);
    const headers = { 'x-trino-user': 'test' };
    const listed = (await (await fetch(`${trino.url}/v1/query`, { headers })).json()) as any[];
    const last = listed
      .filter(({ query }) => query.slice(0, 60) === statement.slice(0, 60))
      .toSorted((a, b) => (a.queryId < b.queryId ? 1 : -1))[0];
    const account = await fetch(`${trino.url}/v1/query/${last.queryId}`, { headers });
    const shares = [...sharesOf(await account.json()).values()].filter(({ rows }) => rows > 0);
    return { answer, ms, shares };
  } finally {
    await trino.stop();
  }
}

describe.skipIf(install === null)('two workers of Trino', () => {
  test('share what a funnel reads, and read nothing twice', async () => {
    const staged = await stage();
    const two = await measure(install!, staged, 2);
    const one = await measure(install!, staged, 1);
    console.log(
      JSON.stringify({
        events: EVENTS,
        two: two.shares,
        twoMs: two.ms,
        one: one.shares,
        oneMs: one.ms,
      }),
    );
    expect(two.answer).toEqual(one.answer);
    expect(two.answer.total.people[0]).toBeGreaterThan(0);
    const rowsOf = (shares: Share[]) => shares.reduce((sum, { rows }) => sum + rows, 0);
    expect(rowsOf(two.shares)).toBe(rowsOf(one.shares));
    expect(two.shares).toHaveLength(2);
    for (const what of ['rows', 'bytes'] as const) {
      const [less = 0, more = 0] = two.shares.map((share) => share[what]).toSorted((a, b) => a - b);
      expect(less / (less + more)).toBeGreaterThan(0.4);
    }
  }, 1_800_000);
});
