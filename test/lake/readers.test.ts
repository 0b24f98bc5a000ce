import { beforeAll, describe, expect, test } from 'bun:test';
import { eraseFromEvents } from '../../src/event-store/people/erasure-queries.ts';
import { newId } from '../../src/shared/ids.ts';
import { s3ObjectStore } from '../../src/storage/object-store/s3.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { openEventStore, visibleRows } from '../support/event-store.ts';
import { event } from '../support/events.ts';
import { countedPath, type ReferenceEvent } from '../support/funnel-reference.ts';
import { documented } from '../support/lake/docs.ts';
import { maintain, take } from '../support/lake/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { EXTENSIONS } from '../support/lake/loop-readers.ts';
import { findClickHouse, findDuckDb, findPyIceberg } from '../support/lake/pyiceberg.ts';
import { LAKE_TOKEN, serveLake } from '../support/lake/serve.ts';
import { findSpark } from '../support/lake/spark.ts';
import { runPython } from '../support/lake/tools.ts';
import { testDatabase } from '../support/postgres.ts';
import { randomFrom } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';

const [python, duck, clickHouse, spark, s3] = [
  await findPyIceberg(),
  await findDuckDb(),
  await findClickHouse(),
  await findSpark(),
  await testS3(),
];
for (const [name, tool] of Object.entries({
  PyIceberg: python,
  DuckDB: duck,
  ClickHouse: clickHouse,
})) {
  if (tool === null)
    console.log(`not run: ${name} reads the lake (needs python3 with venv, and PyPI).`);
}
if (spark === null) {
  console.log(
    'not run: Spark reads the lake (needs Java 17, python3 with venv, PyPI and Maven Central).',
  );
}

const random = randomFrom(9);
const int = (below: number) => Math.floor(random() * below);
const APPS = [newId('app'), newId('app')].toSorted();
const [APP = ''] = APPS;
/** Long before today, and on either side of what the documented funnel asks for. */
const FIRST_MS = Date.parse('2026-02-27T00:00:00Z');
const MINUTE_MS = 60_000;

/** Few people and few minutes, so that ties, late links and windows to the edge are met. */
function steps(count: number) {
  return Array.from({ length: count }, () => {
    const person = int(90);
    const user = int(7) === 0 ? { userId: `user-${person % 60}` } : {};
    const ts = new Date(FIRST_MS + int(17 * 24) * 60 * MINUTE_MS).toISOString();
    return event({ name: `step_${int(4)}`, anonymousId: `device-${person}`, ts, ...user });
  });
}

async function openLake(isRemote: boolean) {
  const database = await testDatabase();
  const objects = isRemote && s3 ? s3ObjectStore(s3.settings) : undefined;
  const store = await openEventStore(database.sql, objects);
  const { bucket, prefix } = s3?.settings ?? {};
  const eventsUrl = isRemote ? `s3://${bucket}/${prefix}` : `file://${store.dir}/objects`;
  const lake = lakeOf(database.sql, store, eventsUrl);
  const env: Record<string, string> =
    isRemote && s3
      ? {
          ...{ EVENTS_URL: eventsUrl, S3_ENDPOINT: s3.endpoint, S3_REGION: s3.settings.region },
          S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
          S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        }
      : {};
  const uri = await serveLake(database, store, env);
  return { ...database, store, lake, uri };
}

async function fill({ sql, store, lake }: Awaited<ReturnType<typeof openLake>>): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await take(store, [APP, steps(150)], [APPS[1]!, steps(30)]);
    if (round === 2) await maintain(store.compaction);
  }
  await sql.begin((tx) => eraseFromEvents(tx, { orgId: 'org_1', appId: APP }, 'user-3', []));
  await lake.publish();
}

const local = await openLake(false);
const remote = s3 ? await openLake(true) : null;
beforeAll(async () => {
  await fill(local);
  if (remote) await fill(remote);
}, 120_000);

/** What stands in the documents, of this lake. */
const of = (code: string, { uri, url }: { uri: string; url: string }) =>
  code
    .replaceAll('https://control-plane.example.com/v1/lake', uri)
    .replaceAll('app_…', APP)
    .replace(
      /postgresql\+psycopg2:\/\/[^"]*/,
      url.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:'),
    )
    .replace("'LAKE_TOKEN'", `'${LAKE_TOKEN}'`)
    .replace('Bearer LAKE_TOKEN', `Bearer ${LAKE_TOKEN}`);
const PREAMBLE = `import json, os\nLAKE_TOKEN = '${LAKE_TOKEN}'\n`;

type Names = Record<string, number>;
/** Every stored event of the app, by its name, as the files have them. */
async function storedNames({ store, sql }: typeof local): Promise<Names> {
  const paths = await sql<{ path: string }[]>`SELECT path FROM event_files WHERE state = 'live'`;
  const names: Names = {};
  for (const { path } of paths) {
    const file = await store.objects.localPath(path);
    const reader = await store.connection.runAndReadAll(
      `SELECT name, count(*)::INTEGER FROM '${file}' WHERE app_id = '${APP}' GROUP BY name`,
    );
    for (const [name, count] of reader.getRows()) {
      names[String(name)] = (names[String(name)] ?? 0) + Number(count);
    }
  }
  return names;
}
const total = (names: Names) => Object.values(names).reduce((sum, count) => sum + count, 0);

describe.skipIf(python === null)('PyIceberg', () => {
  test.each([local, ...(remote ? [remote] : [])])(
    'reads as documented, files and a bucket',
    async (lake) => {
      const code = of(documented('PyIceberg', 'python'), lake).replace(
        'token=LAKE_TOKEN',
        `token=LAKE_TOKEN, **{'s3.access-key-id': 'test-access', 's3.secret-access-key': 'test-secret'}`,
      );
      const all = code.replace(/ and occurred_at[^"]*/, '');
      expect(await runPython(python!, PREAMBLE + all, {})).toBe(total(await storedNames(lake)));
    },
    120_000,
  );
});

describe.skipIf(python === null)('PyIceberg over PostgreSQL', () => {
  test('reads as documented, with the documented role, which may read nothing else', async () => {
    // A role is the server's, which other tests share.
    const role = `lake_reader_${newId('app').slice(4)}`;
    const statements = documented('Switching it on', 'sql')
      .replaceAll('lake_reader', role)
      .replace("'…'", "'secret'");
    await local.sql.unsafe(statements);
    try {
      const url = new URL(local.url);
      url.username = role;
      url.password = 'secret';
      url.protocol = 'postgresql';
      const code = documented('PyIceberg', 'python', 1).replace(
        /"postgresql\+psycopg2:[^"]*"/,
        `"${url.href.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:')}"`,
      );
      const rows = `SELECT rows FROM event_files WHERE state = 'live'`;
      const stored = await local.sql.unsafe<{ rows: number }[]>(rows);
      expect(await runPython(python!, code, {})).toBe(
        stored.reduce((sum, each) => sum + each.rows, 0),
      );
      const reader = createSql(url.href, { maxConnections: 1, applicationName: 'test' });
      expect(reader.unsafe(rows).execute()).rejects.toThrow('permission denied');
      await reader.unsafe(rows).catch(() => undefined);
      await reader.end();
    } finally {
      await local.sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  }, 120_000);
});

describe.skipIf(duck === null)('DuckDB with its extension', () => {
  test.each([local, ...(remote ? [remote] : [])])(
    'reads as documented, files and a bucket',
    async (lake) => {
      const code = of(documented('DuckDB', 'sql'), lake).replace(/^INSTALL.*\n/, '');
      const secret = `CREATE SECRET (TYPE s3, KEY_ID 'test-access', SECRET 'test-secret', REGION 'us-east-1', ENDPOINT '${s3?.endpoint.replace('http://', '')}', URL_STYLE 'path', USE_SSL false)`;
      const answer = await runPython(
        duck!,
        `${PREAMBLE}${EXTENSIONS}
duckdb.sql(${JSON.stringify(secret)})
for statement in ${JSON.stringify(code)}.strip().rstrip(';').split(';'):
    rows = duckdb.sql(statement)
print(json.dumps(dict(rows.fetchall())))`,
        {},
      );
      expect(answer).toEqual(await storedNames(lake));
    },
    120_000,
  );
});

describe.skipIf(clickHouse === null || remote === null)('ClickHouse', () => {
  test('reads a bucket as documented', async () => {
    const code = of(documented('ClickHouse', 'sql'), remote!)
      .replace("'KEY', 'SECRET'", "'test-access', 'test-secret'")
      .replace('https://s3.example.com/bucket', `${s3!.endpoint}/${s3!.settings.bucket}`);
    const answer = await runPython(
      clickHouse!,
      `${PREAMBLE}
from chdb import session
clickhouse = session.Session()
for statement in ${JSON.stringify(code)}.strip().rstrip(';').split(';\\n'):
    answer = clickhouse.query(statement, 'JSON')
rows = json.loads(str(answer))['data']
print(json.dumps({row['name']: int(row['count()']) for row in rows}))`,
      {},
    );
    expect(answer).toEqual(await storedNames(remote!));
  }, 120_000);
});

type Question = { names: [string, string, string]; from: number; until: number; windowMs: number };
const DAY_MS = 86_400_000;
const DOCUMENTED: Question = {
  names: ['step_0', 'step_1', 'step_2'],
  ...{ from: Date.parse('2026-03-01T00:00:00Z'), until: Date.parse('2026-03-11T00:00:00Z') },
  windowMs: 3 * DAY_MS,
};

function someQuestion(): Question {
  const [a = 0, b = 0, c = 0] = [0, 1, 2, 3].toSorted(() => random() - 0.5);
  const from = FIRST_MS + int(10) * DAY_MS;
  const until = from + (1 + int(8)) * DAY_MS;
  return {
    names: [`step_${a}`, `step_${b}`, `step_${c}`],
    from,
    until,
    windowMs: (1 + int(120)) * 60 * MINUTE_MS,
  };
}

/** The documented view, asked another question. */
function sparkFunnel({ names, from, until, windowMs }: Question): string {
  const at = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('.000Z', 'Z');
  let sql = of(documented('A funnel in Spark', 'sql', 1), local);
  for (const [index, name] of names.entries())
    sql = sql.replaceAll(`'step_${index}'`, `'~${name}'`);
  return sql
    .replaceAll("'~", "'")
    .replaceAll('2026-03-01 00:00:00Z', at(from))
    .replaceAll('2026-03-11 00:00:00Z', at(until))
    .replaceAll('3 * 86400000000', String(windowMs * 1_000))
    .replaceAll('INTERVAL 3 DAYS', `INTERVAL ${windowMs / 1_000} SECONDS`);
}

const medianOf = (sorted: number[]) =>
  sorted.length === 0
    ? null
    : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2 / 1_000_000;

/** People who reach each step, and medians between steps, by the rules written down a second time. */
async function plainFunnel({ names, from, until, windowMs }: Question) {
  const rows = await visibleRows(local.store, APP);
  const events = rows.map(
    (row): ReferenceEvent => ({
      ...{ person: row.personId, name: row.name, at: row.occurredAtUs, props: {} },
      ...{ batchIndex: row.batchIndex, arrival: row.arrival },
    }),
  );
  const reached = [0, 0, 0];
  const took: number[][] = [[], [], []];
  for (const ofPerson of Map.groupBy(events, ({ person }) => person).values()) {
    const path = countedPath(ofPerson, {
      steps: names.map((name) => ({ event: name })),
      ...{ fromUs: from * 1_000, untilUs: until * 1_000, windowUs: windowMs * 1_000 },
    });
    for (const [index, time] of path?.times.entries() ?? []) {
      reached[index]! += 1;
      if (index > 0) took[index]!.push(time - path!.times[index - 1]!);
    }
  }
  return [...reached, ...took.slice(1).map((each) => medianOf(each.toSorted((a, b) => a - b)))];
}

describe.skipIf(spark === null)('Spark', () => {
  test('reads as documented, and its funnel has the people and medians of the product', async () => {
    const questions = [DOCUMENTED, ...Array.from({ length: 6 }, someQuestion)];
    const code = of(documented('Spark', 'python'), local)
      .replace('"spark.jars.packages"', '"spark.jars"')
      .replace(/"org\.apache\.iceberg:iceberg-spark-runtime[^"]*"/, `"${spark!.jar}"`)
      .replace(
        'SparkSession.builder',
        `SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').config('spark.sql.shuffle.partitions', '2').config('spark.log.level', 'ERROR').config('spark.sql.session.timeZone', 'Europe/Berlin')`,
      );
    const view = documented('People', 'sql').replace('CREATE VIEW', 'CREATE TEMPORARY VIEW');
    const answer = (await runPython(
      spark!.python,
      `${PREAMBLE}${code}
names = spark.sql(${JSON.stringify(`SELECT name, count(*) FROM lake.main.events WHERE app_id = '${APP}' GROUP BY name`)}).collect()
spark.sql('USE lake.main')
spark.sql(${JSON.stringify(view)})
spark.sql('CACHE TABLE people_events')
spark.sql(${JSON.stringify(documented('A funnel in Spark', 'sql', 0))})
funnels = []
for funnel in json.loads(${JSON.stringify(JSON.stringify(questions.map(sparkFunnel)))}):
    spark.sql(funnel)
    funnels.append(list(spark.sql(${JSON.stringify(documented('A funnel in Spark', 'sql', 2))}).collect()[0]))
print(json.dumps({'names': {name: count for name, count in names}, 'funnels': funnels}))`,
      {},
    )) as {
      names: Names;
      funnels: (number | null)[][];
    };
    expect(answer.names).toEqual(await storedNames(local));
    const expected: (number | null)[][] = [];
    for (const question of questions) expected.push(await plainFunnel(question));
    expect(answer.funnels).toEqual(expected);
    expect(expected[0]![2]).toBeGreaterThan(3);
  }, 900_000);
});
