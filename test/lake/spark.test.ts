import { beforeAll, describe, expect, test } from 'bun:test';
import { QueryEngine } from '../../src/query/engine.ts';
import type { FunnelQuestion } from '../../src/query/funnel/model.ts';
import { stepNames } from '../../src/query/funnel/steps.ts';
import { answerHere } from '../../src/query/server.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { openEventStore } from '../support/event-store.ts';
import { documented } from '../support/lake/docs.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { type MadeApp, makeApps, randomOf, someWindow } from '../support/lake/questions.ts';
import { LAKE_TOKEN, serveLake } from '../support/lake/serve.ts';
import { findSpark } from '../support/lake/spark.ts';
import { runPython } from '../support/lake/tools.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun, randomFrom } from '../support/random.ts';

const spark = await findSpark();
if (spark === null) {
  console.log('not run: Spark answers questions (needs Java 17, python3 with venv, and PyPI).');
}

const random = randomOf(randomFrom(Number(process.env.LAKE_SEED ?? 13)));
const database = await testDatabase();
const store = await openEventStore(database.sql);
const uri = await serveLake(database, store);
const apps: MadeApp[] = [];
beforeAll(async () => {
  apps.push(...(await makeApps(database.sql, store, random, { apps: isFullRun ? 24 : 3 })));
  await lakeOf(database.sql, store).publish();
}, 300_000);

const NAMES = ['a', 'b', 'c', "d'e", 'ü 😀'];

/** What the documented function can be asked: steps of different events. */
function someFunnel(app: MadeApp): FunnelQuestion {
  const names = NAMES.map((name) => ({ name, at: random.int(1_000) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, 1 + random.int(5));
  return {
    ...{ orgId: 'org_1', appId: app.appId, steps: names.map(({ name }) => ({ event: name })) },
    ...someWindow(random, app),
    ...{ filters: {}, breakdown: null, trendFromUs: null },
  };
}

type Path = [person: string, times: number[]];
/** By question: people at each step, medians from the step before and from the start. */
type Answer = {
  paths: Path[];
  people: number[];
  previous: (number | null)[];
  start: (number | null)[];
};

/** All questions at once: the documented function over the documented view, of each question. */
async function bySpark(found: { python: string; jar: string }, questions: FunnelQuestion[]) {
  const rows = questions.map(({ appId, steps, fromUs, startBeforeUs, windowUs }, q) => ({
    ...{ q, appId, names: stepNames(steps), fromUs },
    ...{ untilUs: startBeforeUs, windowUs },
  }));
  const view = documented('People', 'sql').replace('CREATE VIEW', 'CREATE TEMPORARY VIEW');
  const path = `${store.dir}/questions.json`;
  await Bun.write(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  const out = `${store.dir}/answers.json`;
  await runPython(
    found.python,
    `
import json
from pyspark.sql import SparkSession
settings = {'': 'org.apache.iceberg.spark.SparkCatalog', '.type': 'rest', '.uri': '${uri}', '.token': '${LAKE_TOKEN}'}
builder = SparkSession.builder.master('local[2]').config('spark.jars', '${found.jar}').config('spark.driver.memory', '1g')
builder = builder.config('spark.ui.enabled', 'false').config('spark.sql.shuffle.partitions', '2').config('spark.log.level', 'ERROR')
spark = builder.config(map={'spark.sql.catalog.lake' + key: value for key, value in settings.items()}).getOrCreate()
spark.sql('USE lake.main')
spark.sql(${JSON.stringify(view)})
spark.sql(${JSON.stringify(documented('A funnel in Spark', 'sql', 0))})
spark.read.schema('q INT, appId STRING, names ARRAY<STRING>, fromUs BIGINT, untilUs BIGINT, windowUs BIGINT').json('${path}').createOrReplaceTempView('questions')
spark.sql('''CREATE TEMPORARY VIEW paths AS
WITH found AS (
  SELECT q, size(names) AS steps, untilUs, windowUs, person, unix_micros(occurred_at) AS us,
    CAST(array_position(names, name) AS INT) AS step
  FROM people_events JOIN questions ON app_id = appId AND array_contains(names, name)
    AND unix_micros(occurred_at) BETWEEN fromUs AND untilUs + windowUs
  WHERE coalesce(environment, 'production') = 'production')
SELECT q, person, funnel_times(collect_list(struct(us, step)), steps, untilUs, windowUs) AS times
FROM found GROUP BY q, steps, untilUs, windowUs, person''')
spark.sql('CACHE TABLE paths')
of = lambda gap: ', '.join(f'median(get(times, {i}) - get(times, {i - 1 if gap else 0})) / 1000000' for i in range(1, 5))
answers = {q: {'paths': [], 'people': [0] * 5, 'previous': [None] * 4, 'start': [None] * 4} for q in range(${questions.length})}
for q, person, times in spark.sql('SELECT q, person, times FROM paths WHERE times IS NOT NULL').collect():
    answers[q]['paths'].append([person, times])
reached = ', '.join(f'count_if(size(times) >= {step})' for step in range(1, 6))
for q, *row in spark.sql(f'SELECT q, {reached}, {of(True)}, {of(False)} FROM paths GROUP BY q').collect():
    answers[q].update({'people': row[:5], 'previous': row[5:9], 'start': row[9:]})
with open('${out}', 'w') as file:
    json.dump([answers[q] for q in range(${questions.length})], file)
print(len(answers))`,
    {},
  );
  return (await Bun.file(out).json()) as Answer[];
}

describe.skipIf(spark === null)('Spark', () => {
  test('gives the counts, medians and people of DuckDB to random questions about random people', async () => {
    const tempDir = `${store.dir}/query-tmp`;
    const duck = await openDuck({ memoryMb: 512, threads: 1, tempDir, tempLimitMb: 512 });
    const { hot } = store;
    const here = new QueryEngine({ duck, hot, timeoutMs: 120_000, onStuck: () => undefined });
    const count = Number(process.env.LAKE_QUESTIONS ?? (isFullRun ? 1_000 : 60));
    const questions = Array.from({ length: count }, (_, index) =>
      someFunnel(apps[index % apps.length]!),
    );
    const answers = await bySpark(spark!, questions);
    let finished = 0;
    for (const [q, question] of questions.entries()) {
      const { total } = await answerHere(here, 'funnel', question);
      const steps = question.steps.length;
      const { people, previous, start, paths } = answers[q]!;
      const told = { q, asked: question };
      expect({ ...told, people: people.slice(0, steps) }).toEqual({
        ...told,
        people: total.people,
      });
      const medians = [
        [null, ...previous.slice(0, steps - 1)],
        [null, ...start.slice(0, steps - 1)],
      ];
      const { medianSecondsFromPrevious, medianSecondsFromStart } = total;
      expect({ ...told, medians }).toEqual({
        ...told,
        medians: [medianSecondsFromPrevious, medianSecondsFromStart],
      });
      const step = 1 + random.int(steps);
      const page = { step, dropped: false, after: null, limit: 1_000 };
      const listed = await answerHere(here, 'funnel-people', { ...question, ...page });
      const there = paths
        .filter(([, times]) => times.length >= step)
        .map(([personId, times]) => ({ personId, reachedAtUs: times[step - 1]! }));
      const byId = (a: { personId: string }, b: { personId: string }) =>
        a.personId < b.personId ? -1 : 1;
      expect({ ...told, people: there.toSorted(byId) }).toEqual({
        ...told,
        people: listed.people.toSorted(byId),
      });
      finished += there.length;
    }
    console.log(`${count} questions, ${finished} people`);
    expect(finished).toBeGreaterThan(count);
  }, 3_600_000);
});
