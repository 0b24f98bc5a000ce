import { afterAll, describe, expect, test } from 'bun:test';
import { compactOnce } from '../../../src/event-store/compaction/compact.ts';
import { QueryFailure } from '../../../src/query/failure/failure.ts';
import { QUESTIONS } from '../../../src/query/kinds.ts';
import type { LakeEngine } from '../../../src/query/reading/lake/engine.ts';
import { LakeQuestions } from '../../../src/query/reading/lake/questions.ts';
import { startQueries } from '../../../src/query/start.ts';
import { startTrinoSimulator } from '../../simulators/trino/server.ts';
import { append, openEventStore } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { lakeOf } from '../../support/lake/lake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const AT = Date.UTC(2026, 2, 1);
const database = await testDatabase();
const { sql } = database;
const store = await openEventStore(sql);
const trino = startTrinoSimulator();
afterAll(trino.stop);
const { port } = new URL(trino.url);
const service = await startTestService(database, {
  env: {
    LAKE: 'on',
    LAKE_ENGINE_URL: `trino://${trino.user}@127.0.0.1:${port}/lake/main`,
    LAKE_ENGINE_MIN_EVENTS: '10',
  },
  with: () => ({ objects: store.objects }),
});
const server = await startQueries(service.deps, 0);
afterAll(() => server.stop());
const { queries, metrics } = service.deps;
const scope = (appId: string) => ({ orgId: 'org_1', appId });

/** An app with so many events in files. */
async function take(appId: string, count: number): Promise<void> {
  const log = await store.openLog();
  const one = (index: number) =>
    event({ name: 'opened', anonymousId: `a-${index}`, ts: new Date(AT + index).toISOString() });
  await append(
    log,
    appId,
    Array.from({ length: count }, (_, index) => one(index)),
  );
  await log.close();
  await compactOnce(store.compaction);
}
await take('app_large', 12);
await take('app_small', 9);

const funnelOf = (appId: string) => ({
  ...scope(appId),
  ...{ steps: [{ event: 'opened' }, { event: 'bought' }], filters: {}, windowUs: 1 },
  ...{ fromUs: AT * 1_000, startBeforeUs: (AT + 1_000) * 1_000 },
  ...{ breakdown: null, trendFromUs: null },
});
const ask = (appId: string) => queries.ask('funnel', funnelOf(appId));
/** As the engine would answer the statement of a funnel. */
const COUNTED = {
  columns: ['part', 'mature', 'began', 'finished', 'reached', 'previous', 'whole'],
  rows: [[-1, 5, null, null, [7, 3], [[1_000_000, 2_000_000]], [[1_000_000, 2_000_000]]]],
};

describe('large questions', () => {
  test("are DuckDB's until something is published", async () => {
    expect((await ask('app_large')).total.people).toEqual([12, 0]);
    expect(trino.statements).toEqual([]);
  });

  test('go to the engine of the lake by what the catalogue says they would read, as of its snapshot', async () => {
    await lakeOf(sql, store).publish();
    const published = Date.now();
    await sql`UPDATE lake_publisher SET data_through = ${new Date(published)}`;
    trino.answer(COUNTED);
    const answer = await ask('app_large');
    expect(answer).toMatchObject({
      dataThroughMs: published,
      total: { people: [7, 3], medianSecondsFromPrevious: [null, 1.5] },
      maturePeople: 5,
    });
    expect(trino.statements.at(-1)).toContain("FOR VERSION AS OF BIGINT '");
    expect(trino.statements.at(-1)).toContain("app_id = 'app_large'");
    expect((await ask('app_small')).total.people).toEqual([9, 0]);
    // Nine of the twelve events lie in another window.
    const early = { ...funnelOf('app_large'), fromUs: 0, startBeforeUs: 1 };
    expect((await queries.ask('funnel', early)).total.people).toEqual([0, 0]);
    expect(trino.statements).toHaveLength(1);
  });

  test('of kinds and details that it cannot answer exactly are left to DuckDB', async () => {
    const { orgId, appId } = scope('app_large');
    const names = await queries.ask('names', {
      ...{ orgId, appId, fromUs: 0, beforeUs: 2e15 },
    });
    expect(names.names).toHaveLength(1);
    const odd = { prop: ':', equals: 'x' };
    const answer = await queries.ask('funnel', {
      ...funnelOf('app_large'),
      steps: [{ event: 'opened', where: odd }],
    });
    expect(answer.total.people).toEqual([0]);
    expect(trino.statements).toHaveLength(1);
  });

  test('are 503 with a time to try again while it is away, and its answers are never made up', async () => {
    const failing = [
      { kind: 'error', errorName: 'NO_NODES_AVAILABLE', errorType: 'INTERNAL_ERROR', at: 1 },
      { kind: 'lost next', at: 1 },
      { kind: 'short row', at: 2 },
    ] as const;
    for (const wrong of failing) {
      trino.answer({ ...COUNTED, wrong });
      const refusal = { code: 'unavailable', retryAfterSeconds: 5 };
      await expect(ask('app_large')).rejects.toMatchObject(refusal);
    }
    trino.answer({ ...COUNTED, rows: [[-1, 'five', null, null, [7, 3], [null], [null]]] });
    await expect(ask('app_large')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['EXCEEDED_TIME_LIMIT', 'INSUFFICIENT_RESOURCES', 'The query took too long.'],
    ['CLUSTER_OUT_OF_MEMORY', 'INSUFFICIENT_RESOURCES', 'The query exceeds its memory limit.'],
    ['ADMINISTRATIVELY_KILLED', 'USER_ERROR', 'The query was stopped before it finished.'],
    ['INVALID_ARGUMENTS', 'USER_ERROR', 'Queries are unavailable right now.'],
    ['ICEBERG_CANNOT_OPEN_SPLIT', 'EXTERNAL', 'Queries are unavailable right now.'],
  ])('are 503 with what to do after %s of the engine', async (errorName, errorType, message) => {
    const wrong = { kind: 'error', errorName, errorType, at: 1 } as const;
    trino.answer({ ...COUNTED, wrong });
    await expect(ask('app_large')).rejects.toMatchObject({ code: 'unavailable', message });
  });

  test('have one time for all statements of a question', async () => {
    const statements: string[] = [];
    const engine: LakeEngine = {
      ping: () => Promise.resolve(),
      run: async (statement, signal) => {
        statements.push(statement);
        if (statements.length === 1) return [['ios', 5]];
        const { promise, resolve } = Promise.withResolvers<void>();
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
        await promise;
        throw new QueryFailure('stopped', 'Its asker has left.');
      },
    };
    const lake = new LakeQuestions({ sql, engine, timeoutMs: 200 });
    const byPlatform = { ...funnelOf('app_large'), breakdown: { kind: 'platform' as const } };
    const { signal } = new AbortController();
    await expect(lake.answer(QUESTIONS.funnel, byPlatform, signal)).rejects.toMatchObject({
      kind: 'timeout',
    });
    expect(statements).toHaveLength(2);
  });

  test('are given up when nobody waits for them any more', async () => {
    const [before, silent] = [trino.cancelled.length, trino.silent()];
    trino.answer({ ...COUNTED, wrong: { kind: 'silent', at: 1 } });
    const leaving = new AbortController();
    const asked = queries.ask('funnel', funnelOf('app_large'), { signal: leaving.signal });
    const refusal = asked.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    await until('its page is asked for', () => trino.silent() > silent);
    leaving.abort();
    expect(await refusal).toMatchObject({ code: 'unavailable' });
    await until('it is cancelled', () => trino.cancelled.length > before);
  });

  test("are DuckDB's where the statement would be longer than the engine takes", async () => {
    const before = trino.statements.length;
    const long = { prop: 'p', equals: 'x'.repeat(60_000) };
    const answer = await queries.ask('funnel', {
      ...funnelOf('app_large'),
      steps: [1, 2, 3, 4, 5].map(() => ({ event: 'opened', where: long })),
    });
    expect(answer.total.people).toEqual([0, 0, 0, 0, 0]);
    expect(trino.statements).toHaveLength(before);
  });

  test('are counted by outcome, and the status says whether the engine answers', async () => {
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/lake_query_duration_seconds_count\{.*outcome="answered".*\} 1/);
    expect(text).toMatch(/lake_query_duration_seconds_count\{.*outcome="unavailable".*\} 9/);
    expect(text).toMatch(/lake_query_duration_seconds_count\{.*outcome="not_available".*\}/);
    const org = await createTestOrg(service);
    const { body } = await service.call('/v1/status', { headers: org.key });
    expect(body.dependencies).toContainEqual(
      expect.objectContaining({ name: 'lake_engine', status: 'up' }),
    );
  });

  test("are DuckDB's again when nobody publishes any more", async () => {
    await sql`UPDATE lake_publisher SET published_at = now() - interval '2 hours'`;
    expect((await ask('app_large')).total.people).toEqual([12, 0]);
  });
});
