import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { eraseFromEvents } from '../../src/event-store/people/erasure-queries.ts';
import { QueryEngine } from '../../src/query/engine.ts';
import {
  type AnswerOf,
  QUESTIONS,
  type QueryKind,
  type QuestionOf,
} from '../../src/query/kinds.ts';
import { latestSnapshot } from '../../src/query/reading/lake/queries.ts';
import { countInLake } from '../../src/query/reading/lake/questions.ts';
import { answerHere } from '../../src/query/server.ts';
import { must } from '../../src/shared/assert.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { s3ObjectStore } from '../../src/storage/object-store/s3.ts';
import { openEventStore } from '../support/event-store.ts';
import { temporaryFolder } from '../support/events.ts';
import { maintain, someEvents, take } from '../support/lake/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { inBucket, overPostgres } from '../support/lake/trino-catalogs.ts';
import { findTrino, type TrinoInstall } from '../support/lake/trino-install.ts';
import { startTrino } from '../support/lake/trino-server.ts';
import { makeTlsFiles } from '../support/lake/trino-tls.ts';
import { PLACES } from '../support/places.ts';
import { testDatabase } from '../support/postgres.ts';
import { randomFrom } from '../support/random.ts';
import { type TestS3, testS3 } from '../support/s3-server.ts';

const install = await findTrino();
const s3 = install && Bun.which('openssl') ? await testS3() : null;
if (install && !s3) console.log('not run: Trino over a bucket and TLS (needs openssl).');
const ASK = join(import.meta.dir, '../support/ask-engine-child.ts');
const APP = 'app_of_the_bucket';
const NOW = Date.now();
const USER = 'control-plane';
const PASSWORD = 'a "password" of: the ötest';

/** Events in a bucket, and a Trino that finds them in PostgreSQL and is asked over TLS. */
async function stage(found: TrinoInstall, bucket: TestS3) {
  // Before what ends the database.
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  const { sql, url } = await testDatabase();
  const store = await openEventStore(sql, s3ObjectStore(bucket.settings));
  const random = randomFrom(5);
  for (let round = 0; round < 3; round += 1) {
    await take(store, [APP, someEvents(random, 150)]);
    if (round === 1) await maintain(store.compaction);
  }
  await sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: APP }, 'user-3', []));
  const { prefix, region } = bucket.settings;
  const warehouse = `s3://${bucket.settings.bucket}/${prefix}`;
  await lakeOf(sql, store, warehouse).publish();
  // May do what the documentation grants, and nothing else.
  const role = `lake_reader_${Math.random().toString(36).slice(2)}`;
  await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'reads-only'`);
  await sql.unsafe(`GRANT SELECT ON iceberg_tables, iceberg_namespace_properties TO ${role}`);
  const reader = new URL(url);
  reader.username = role;
  reader.password = 'reads-only';
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = bucket.credentials;
  const files = await makeTlsFiles(temporaryFolder('trino-tls'));
  const trino = await startTrino(found, {
    catalog: {
      ...overPostgres(reader.toString(), warehouse),
      ...inBucket({
        endpoint: bucket.endpoint,
        region: region ?? 'us-east-1',
        accessKey,
        secretKey,
      }),
    },
    tls: { files, user: USER, password: PASSWORD },
  });
  ends.push(
    () => trino.stop(),
    () => sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`),
  );
  const tempDir = `${store.dir}/query-tmp`;
  const duck = await openDuck({ memoryMb: 512, threads: 2, tempDir, tempLimitMb: 512 });
  const { hot } = store;
  const here = new QueryEngine({ duck, hot, timeoutMs: 120_000, onStuck: () => undefined });
  const snapshot = must(await latestSnapshot(sql), 'it was published');
  return { snapshot, here, url, port: trino.httpsPort, authority: files.authority };
}
const staged = s3 && (await stage(install!, s3));

describe.skipIf(staged === null)('Trino over a bucket, PostgreSQL and TLS', () => {
  const { snapshot, here, url, port, authority } = staged ?? ({} as NonNullable<typeof staged>);

  /** As a process of the service asks, which takes authorities from its environment. */
  async function ask(statement: string, changes: Record<string, string> = {}) {
    const child = Bun.spawn([process.execPath, ASK, statement], {
      env: {
        ...PLACES,
        ...{ DATABASE_URL: url, AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef' },
        ...{ SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'), LAKE: 'on' },
        LAKE_ENGINE_URL: `trino+https://${USER}@localhost:${port}/lake/main`,
        ...{ LAKE_ENGINE_PASSWORD: PASSWORD, NODE_EXTRA_CA_CERTS: authority },
        ...{ QUERY_TIMEOUT_SECONDS: '300', ...changes },
      },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, told] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(told);
    return JSON.parse(out) as unknown[][];
  }

  const rules = {
    ...{ orgId: 'org_1', appId: APP, filters: {} },
    ...{ fromUs: (NOW - 10 * DAY_MS) * 1_000, startBeforeUs: NOW * 1_000 },
    ...{ steps: ['step_1', 'step_2', 'step_3'].map((event) => ({ event })) },
    windowUs: 2 * DAY_MS * 1_000,
  };

  test('gives the figures of DuckDB, with a role that may read two tables and keys of the bucket', async () => {
    /** As if it were published when DuckDB read the log. */
    async function bothSay<K extends QueryKind>(kind: K, question: QuestionOf<K>) {
      const counted: AnswerOf<K> = await answerHere(here, kind, question);
      const dataThroughMs = 'dataThroughMs' in counted ? Number(counted.dataThroughMs) : 0;
      const lake = { snapshot: { ...snapshot, dataThroughMs }, rows: ask };
      expect(await countInLake(lake, QUESTIONS[kind], question)).toEqual(counted);
      return counted;
    }
    const funnel = { ...rules, breakdown: { kind: 'platform' as const }, trendFromUs: null };
    const { total } = await bothSay('funnel', funnel);
    expect(total.people[1]).toBeGreaterThan(0);
    await bothSay('funnel-people', { ...rules, step: 2, dropped: false, after: null, limit: 100 });
    const { fromUs, startBeforeUs: beforeUs } = rules;
    await bothSay('summary', { orgId: 'org_1', appId: APP, fromUs, beforeUs, limit: 100 });
  }, 300_000);

  test('is not asked with another password, nor where nobody vouches for its certificate', async () => {
    const one = 'SELECT 1';
    expect(await ask(one)).toEqual([[1]]);
    await expect(ask(one, { LAKE_ENGINE_PASSWORD: 'another' })).rejects.toThrow('401');
    await expect(ask(one, { NODE_EXTRA_CA_CERTS: '' })).rejects.toThrow(/certificate/i);
  }, 120_000);
});
