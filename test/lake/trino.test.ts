import { afterAll, describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app/routes.ts';
import { Queries } from '../../src/query/client.ts';
import { QueryEngine } from '../../src/query/engine.ts';
import { QUESTIONS } from '../../src/query/kinds.ts';
import { querySocket } from '../../src/query/protocol.ts';
import { NotExpressible } from '../../src/query/failure/not-expressible.ts';
import { latestSnapshot } from '../../src/query/reading/lake/queries.ts';
import { countInLake, LakeQuestions } from '../../src/query/reading/lake/questions.ts';
import { trinoEngine } from '../../src/query/reading/lake/trino.ts';
import { answerHere, serveQueries } from '../../src/query/server.ts';
import { must } from '../../src/shared/assert.ts';
import { limitConcurrency } from '../../src/shared/concurrency.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { openEventStore } from '../support/event-store.ts';
import { documented } from '../support/lake/docs.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { type AnyQuestion, makeApps, randomOf, someQuestion } from '../support/lake/questions.ts';
import { LAKE_TOKEN } from '../support/lake/serve.ts';
import { LOCAL_FILES, overHttp } from '../support/lake/trino-catalogs.ts';
import { findTrino, type TrinoInstall } from '../support/lake/trino-install.ts';
import { startTrino } from '../support/lake/trino-server.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { startTestService } from '../support/service.ts';

const install = await findTrino();
if (install === null) {
  console.log(
    'not run: Trino needs 3 GB of disk, Maven Central, and python3 with pip for its Java.',
  );
}

const seed = Number(process.env.LAKE_SEED ?? 11);
const random = randomOf(randomFrom(seed));
/** Decimals are added in no certain order. */
function rounded(answer: any): unknown {
  const short = (one: any) => ({ ...one, value: one.value && Number(one.value.toPrecision(12)) });
  if (!answer?.measured) return answer;
  const measured = answer.measured.map(short);
  const series = answer.series?.map((one: any) => ({ ...one, measured: one.measured.map(short) }));
  return { ...answer, measured, series };
}
const NEVER = new AbortController().signal;

/** A service with random apps in its lake, Trino that reads it, and DuckDB beside it. */
async function stage(found: TrinoInstall) {
  const database = await testDatabase();
  const { sql } = database;
  const store = await openEventStore(sql);
  const { deps } = await startTestService(database, {
    env: { LAKE: 'on', LAKE_TOKEN },
    with: () => ({ objects: store.objects }),
  });
  const app = createApp(deps, { isReady: () => true, isHeld: () => false, stop: () => undefined });
  const server = Bun.serve({ port: 0, fetch: (request) => app.handle(request) });
  afterAll(() => server.stop(true));
  const apps = await makeApps(sql, store, random, { apps: isFullRun ? 24 : 3 });
  await lakeOf(sql, store).publish();
  const snapshot = must(await latestSnapshot(sql), 'it was published');
  const trino = await startTrino(found, {
    catalog: { ...overHttp(`http://127.0.0.1:${server.port}/v1/lake`), ...LOCAL_FILES },
  });
  afterAll(() => trino.stop());
  const engine = trinoEngine(
    { baseUrl: trino.url, user: 'test', password: undefined, catalog: 'lake', schema: 'main' },
    { timeoutMs: 120_000, maxRows: 100_000, maxBytes: 10_000_000 },
  );
  const tempDir = `${store.dir}/query-tmp`;
  const duck = await openDuck({ memoryMb: 512, threads: 2, tempDir, tempLimitMb: 512 });
  const { hot } = store;
  const here = new QueryEngine({ duck, hot, timeoutMs: 120_000, onStuck: () => undefined });
  const lake = new LakeQuestions({ sql, engine, timeoutMs: 120_000 });
  const asking = { runDir: store.dir, processes: 1, timeoutSeconds: 120, lakeMinEvents: 0 };
  const { log } = deps;
  const answering = serveQueries({
    ...{ engine: here, lake, log, socketPath: querySocket(store.dir, 0) },
  });
  afterAll(() => answering.stop());
  const queries = new Queries({ ...asking, eventsToRead: async () => 1 });
  return { apps, snapshot, engine, here, queries };
}
const staged = install && (await stage(install));

describe.skipIf(staged === null)('Trino', () => {
  const { apps, snapshot, engine, here, queries } = staged ?? ({} as NonNullable<typeof staged>);

  /** By the lake, as if it were published when DuckDB read the log. */
  function thereOf({ kind, question }: AnyQuestion, dataThroughMs: number): Promise<unknown> {
    const at = { ...snapshot, dataThroughMs };
    const rows = (statement: string) => engine.run(statement, NEVER);
    return countInLake({ snapshot: at, rows }, QUESTIONS[kind] as any, question);
  }

  async function compare(asked: AnyQuestion, what: string): Promise<boolean> {
    const expected = (await answerHere(here, asked.kind, asked.question as never)) as any;
    try {
      const answer = await thereOf(asked, expected.dataThroughMs ?? 0);
      const told = { seed, what, ...asked };
      expect({ ...told, answer: rounded(answer) }).toEqual({ ...told, answer: rounded(expected) });
    } catch (thrown) {
      if (!(thrown instanceof NotExpressible)) throw thrown;
      return false;
    }
    return true;
  }

  test('gives the counts, medians and people of DuckDB to random questions about random people', async () => {
    const count = Number(process.env.LAKE_QUESTIONS ?? (isFullRun ? 1_000 : 25));
    const asked = Array.from({ length: count }, (_, index) =>
      someQuestion(random, apps[index % apps.length]!),
    );
    const limited = limitConcurrency(4);
    const kinds = Map.groupBy(asked, ({ kind }) => kind);
    const compared = await Promise.all(
      asked.map((one, index) => limited(() => compare(one, `question ${index}`))),
    );
    const left = compared.filter((isCompared) => !isCompared).length;
    const counts = [...kinds].map(([kind, all]) => `${kind} ${all.length}`).join(', ');
    console.log(`${count} questions (${counts}), ${left} of them left to DuckDB`);
    expect(left).toBeLessThan(count / 10);
  }, 3_600_000);

  test('answers through the port, and says up to when', async () => {
    const { appId } = apps[0]!;
    const question = {
      ...{ orgId: 'org_1', appId, steps: [{ event: 'a' }, { event: 'b' }], filters: {} },
      ...{ fromUs: 0, startBeforeUs: 2e15, windowUs: 1e12, breakdown: null, trendFromUs: null },
    };
    const answer = await queries.ask('funnel', question);
    expect(answer.total.people[0]).toBeGreaterThan(0);
    expect(answer.dataThroughMs).toBe(snapshot.dataThroughMs);
  }, 120_000);

  test('is away for a snapshot that it does not know', async () => {
    const rows = (text: string) => engine.run(text, NEVER);
    const gone = countInLake({ snapshot: { ...snapshot, events: 1 }, rows }, QUESTIONS.funnel, {
      ...{ orgId: 'org_1', appId: apps[0]!.appId, steps: [{ event: 'a' }], filters: {} },
      ...{ fromUs: 0, startBeforeUs: 2e15, windowUs: 1e12, breakdown: null, trendFromUs: null },
    });
    const thrown = await gone.then(
      () => null,
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ kind: 'away' });
  }, 120_000);

  test('gives the same counts with the funnel that the documentation has', async () => {
    const { appId } = apps[2]!;
    const names = { opened: 'a', tried: 'b', bought: 'c', 'app_…': appId };
    const funnel = Object.entries(names).reduce(
      (text, [name, value]) => text.replaceAll(`'${name}'`, `'${value}'`),
      documented('Trino', 'sql'),
    );
    const view = documented('People', 'sql').replace('CREATE VIEW people_events AS', '');
    const statement = funnel.replace(/^WITH /, `WITH people_events AS (${view}), `);
    const rows = await engine.run(statement, NEVER);
    const lake = { snapshot, rows: (text: string) => engine.run(text, NEVER) };
    const { total } = await countInLake(lake, QUESTIONS.funnel, {
      ...{ orgId: 'org_1', appId, steps: ['a', 'b', 'c'].map((event) => ({ event })), filters: {} },
      fromUs: Date.UTC(2026, 2, 1) * 1_000,
      startBeforeUs: Date.UTC(2026, 2, 8) * 1_000,
      ...{ windowUs: DAY_MS * 1_000, breakdown: null, trendFromUs: null },
    });
    expect(total.people[0]).toBeGreaterThan(0);
    expect(rows).toEqual([total.people]);
  }, 120_000);
});
