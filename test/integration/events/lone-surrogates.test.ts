import { afterAll, describe, expect, test } from 'bun:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { serveSql } from '../../../src/sql/sandbox/serve.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { HotEvents } from '../../../src/event-store/read.ts';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestKey } from '../../support/service.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const HALF = '\ud83d';
/** Text of a backslash and letters, which is no surrogate. */
const SPELT = '\\ud83d';
const READ = ['a\ufffd', SPELT, 'whole 😀'];

const { service, call, deps, org, app: first } = await startAnswers(NOW);
const headers = org.key;
const hot = new HotEvents(deps, deps.config.events.logDir);
const sqlServer = serveSql({ ...deps, hot }, 0);
afterAll(() => sqlServer.stop());

type App = typeof first;

async function send(app: App): Promise<void> {
  const of = (index: number, props: object) => ({
    ...{ name: 'opened', anonymousId: `device-${index}`, props },
    ts: new Date(NOW - 86_400_000).toISOString(),
  });
  const events = [`a${HALF}`, SPELT, 'whole 😀'].map((v, index) =>
    of(index, { v, [`name${HALF}`]: index, [`list${SPELT}`]: true }),
  );
  const answer = await call('/v1/events', {
    body: { events, context: { platform: 'ios', appVersion: `2${HALF}` } },
    headers: app.device,
  });
  expect(answer.status).toBe(202);
}

/** Files hold the escapes that earlier releases wrote; questions have not read them before. */
async function writeAsBefore(app: App): Promise<void> {
  const { sql, objects } = deps;
  const files = await sql<{ path: string; fileId: string }[]>`
    SELECT path, file_id AS "fileId" FROM event_files JOIN event_file_apps USING (file_id)
    WHERE event_file_apps.app_id = ${app.appId} AND state = 'live'`;
  expect(files).not.toBeEmpty();
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  for (const { path, fileId } of files) {
    const local = await objects.localPath(path);
    const before = path.replace('.parquet', '-before.parquet');
    await connection.run(`COPY (SELECT * REPLACE (replace(props, chr(65533), '\\ud83d') AS props)
      FROM '${local}') TO '${local.replace('.parquet', '-before.parquet')}' (FORMAT parquet)`);
    await sql`UPDATE event_files SET path = ${before}, projection = NULL, projection_format = 0
      WHERE file_id = ${fileId}`;
  }
  connection.closeSync();
  duck.closeSync();
}

async function maintain(): Promise<void> {
  const compactor = await openCompactor(deps, { name: 'keeper', memoryMb: 128, threads: 1 });
  for (let jobs = await planJobs(compactor); jobs.length > 0; jobs = await planJobs(compactor)) {
    for (const job of jobs) await runJob(compactor, job);
  }
  compactor.connection.closeSync();
}

const STORED: readonly [string, (app: App) => Promise<void>][] = [
  ['in the log', async () => undefined],
  [
    'in a file of an earlier release',
    async (app) => {
      await compactEverything(deps);
      await writeAsBefore(app);
    },
  ],
  [
    'in a file merged from those of an earlier release',
    async (app) => {
      await compactEverything(deps);
      await writeAsBefore(app);
      await maintain();
    },
  ],
];

const BY = 'prop:v';
const WINDOW = { from: '2026-03-11', to: '2026-03-11', timezone: 'UTC' };
const SELECTION = { events: ['opened'] };
const QUESTIONS = [
  { kind: 'series', series: [SELECTION], compare: false },
  { kind: 'measures', selection: SELECTION, measure: { of: 'people' }, compare: false },
  { kind: 'funnel', steps: [SELECTION, { events: ['closed'] }] },
  { kind: 'retention', interval: 'day', cohort: 'recurring', start: SELECTION },
  { kind: 'lifecycle', interval: 'day', selection: SELECTION },
];

describe.each(STORED)('an event with half a surrogate pair, %s,', (_, store) => {
  test('is read as U+FFFD and stops no question', async () => {
    const app = await createTestApp(service, org.orgId);
    await send(app);
    await store(app);
    const get = async (tail: string) => {
      const { status, body } = await call(`/v1/apps/${app.appId}${tail}`, { headers });
      expect([tail, status, body.error]).toEqual([tail, 200, undefined]);
      return body;
    };
    const ask = async (question: object) => {
      const { status, body } = await call(`/v1/apps/${app.appId}/questions/answer`, {
        body: { ...question, ...WINDOW },
        headers,
      });
      expect([question, status, body.error]).toEqual([question, 200, undefined]);
      return body;
    };

    const { properties } = await get('/events/properties?name=opened');
    const names = properties.map(({ name }: { name: string }) => name).toSorted();
    expect(names).toEqual(['list\\ud83d', 'name\ufffd', 'v']);
    const { values } = properties.find(({ name }: { name: string }) => name === 'v');
    expect(values.map(({ value }: any) => value).toSorted()).toEqual(READ.toSorted());

    for (const question of QUESTIONS) {
      const text = JSON.stringify(await ask({ ...question, breakdown: BY }));
      for (const value of READ) expect(text).toContain(JSON.stringify(value));
      expect(text).not.toContain('"\\ud83d');
    }
    for (const value of [READ[0], SPELT]) {
      const where = { all: [{ field: BY, op: 'is', value }] };
      const asked = { kind: 'series', series: [{ ...SELECTION, where }], compare: false };
      expect([value, (await ask(asked)).totals.events]).toEqual([value, 1]);
    }
    const named = { all: [{ field: 'prop:name\ufffd', op: 'gte', value: 0 }] };
    const ofName = { kind: 'series', series: [{ ...SELECTION, where: named }], compare: false };
    expect((await ask(ofName)).totals.events).toBe(3);

    const recent = await get('/events/recent');
    expect(recent.map(({ props }: any) => props.v).toSorted()).toEqual(READ.toSorted());
    expect(recent[0].appVersion).toBe('2\ufffd');
    const person = await get(`/person?personId=device-0`);
    expect(person.events[0].props['name\ufffd']).toBe(0);

    const { body } = await call('/v1/sql', {
      body: {
        sql: `SELECT DISTINCT props->>'v' AS v, (props->>'name\ufffd') IS NOT NULL FROM events
          WHERE app_id = '${app.appId}' AND json_valid(props) ORDER BY v`,
      },
      headers: await createTestKey(service, org, ['sql:ask']),
    });
    expect(body.rows).toEqual(READ.toSorted().map((value) => [value, true]));
  });
});
