import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { openAnalystSession } from '../../../src/admin/analyst/session.ts';
import { liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { projectionName } from '../../../src/event-store/objects/names.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { countValues } from '../../../src/event-store/parquet/count-values.ts';
import { eraseFromEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { PROJECTION_REVISION } from '../../../src/event-store/projection/format.ts';
import { PROJECTED_COLUMNS, projectSql } from '../../../src/event-store/projection/project.ts';
import type { QueryKind, QuestionOf } from '../../../src/query/kinds.ts';
import { at } from '../../../src/shared/assert.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const RUNS = process.env.TEST_FULL ? 100 : 2;

const service = await startTestService(await testDatabase());
const { deps } = service;
const { sql, objects } = deps;
await startTestQueries(deps);
const compaction = await openCompactor(deps);
const orgs = [await createTestOrg(service), await createTestOrg(service)].map(({ orgId }) => orgId);

const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS;
const DAYS = Array.from({ length: 7 }, (_, n) => (START_MS + n * DAY_MS) * 1_000);
const [fromUs, beforeUs] = [at(DAYS, 0), at(DAYS, 6)];

/** Names, people and properties that both organizations have, and those that one has alone. */
const someEvent = (own: string) =>
  fc
    .record({
      name: fc.constantFrom('a', 'b', own),
      who: fc.integer({ min: 0, max: 5 }),
      isOwn: fc.boolean(),
      isUser: fc.boolean(),
      atMs: fc.integer({ min: 0, max: 5 * DAY_MS - 1 }),
      plan: fc.constantFrom('free', own),
    })
    .map(({ name, who, isOwn, isUser, atMs, plan }): StoredEvent => {
      const person = `${isOwn ? own : 'both'}-${who}`;
      return {
        name,
        anonymousId: `device-${person}`,
        ...(isUser && { userId: `user-${person}` }),
        ts: new Date(START_MS + atMs).toISOString(),
        props: { plan },
      };
    });

type Sent = { events: StoredEvent[]; isDevelopment: boolean; appVersion: string };

const someBatches = (own: string) =>
  fc.array(
    fc.record({
      events: fc.array(someEvent(own), { minLength: 1, maxLength: 30 }),
      isDevelopment: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
      appVersion: fc.constantFrom('1', own),
    }),
    { minLength: 1, maxLength: 4 },
  );

/** Takes the batches of the apps, in turns, and makes one file of them. */
async function take(apps: readonly { orgId: string; appId: string; sent: Sent[] }[]) {
  const log = await EventLog.open({ dir: deps.config.events.logDir, log: quietLog() });
  for (const { orgId, appId, sent } of apps) {
    for (const [n, { events, isDevelopment, appVersion }] of sent.entries()) {
      await log.append({
        ...{ org: orgId, app: appId, key: 'key_1', receivedAt: START_MS + 6 * DAY_MS + n },
        ...(isDevelopment && { environment: 'development' as const }),
        body: Buffer.from(JSON.stringify({ events, context: { platform: 'ios', appVersion } })),
      });
    }
  }
  await log.close();
  await compactAll(compaction);
}

/** Makes the newest file of many apps what an earlier release could be made to write: the first app's. */
async function forge(owner: { orgId: string; appId: string }, level: number): Promise<string> {
  const file = at((await liveFilesOfLevel(sql, 0)).toReversed(), 0);
  const path = await objects.localPath(file.path);
  const columns = PROJECTED_COLUMNS.join(', ');
  const bytes = await projectSql(compaction.connection, `(SELECT ${columns} FROM '${path}')`, {
    withProps: true,
  });
  const projection = projectionName(newId('prj'), new Date());
  if (bytes) await objects.putBytes(projection, bytes);
  const counts = await countValues(compaction.connection, `'${path}'`, file.rows);
  await sql`
    UPDATE event_files SET level = ${level}, org_id = ${owner.orgId}, app_id = ${owner.appId},
      projection = ${projection}, projection_bytes = ${bytes?.length ?? 0},
      projection_format = ${PROJECTION_REVISION} WHERE file_id = ${file.fileId}`;
  await sql`
    UPDATE event_file_apps SET counts = ${JSON.stringify(counts)} WHERE file_id = ${file.fileId}`;
  return path;
}

type Asked = { [K in QueryKind]: Omit<QuestionOf<K>, 'orgId' | 'appId'>[] };

const window = { fromUs, beforeUs };
const steps = [{ event: 'a' }, { event: 'b' }];
const rules = { steps, fromUs, startBeforeUs: beforeUs, windowUs: DAY_MS * 2_000, filters: {} };
const retention = {
  ...{ boundariesUs: DAYS, cohorts: 3, cohort: 'first' as const, criterion: 'on' as const },
  ...{ periodUs: null },
};
const series = { boundariesUs: DAYS, names: null, filters: {} };
const page = { after: null, limit: 100 };
const experiment = { experimentId: 'exp_1', exposedFromUs: fromUs };

/** Every kind of question, those with another way to their answer several times. */
const ASKED: Asked = {
  summary: [
    { ...window, limit: 50 },
    { ...window, fromUs: fromUs + 1, limit: 50, environment: 'all' },
    { ...window, limit: 50, environment: 'development' },
  ],
  segment: [
    {
      ...{ beforeUs, ...page },
      rules: [
        {
          match: 'all',
          clauses: [{ kind: 'did', names: ['a', 'alpha'], least: 1, most: null, fromUs }],
        },
      ],
    },
    {
      ...{ beforeUs, ...page },
      rules: [
        {
          match: 'any',
          clauses: [
            { kind: 'did', names: null, least: 0, most: 1, fromUs: null },
            { kind: 'firstSeen', fromUs: fromUs + 1, beforeUs: null },
          ],
        },
      ],
    },
  ],
  series: [
    { ...series, breakdown: null, valuesFrom: 0, ranges: [[0, 6]] },
    { ...series, names: ['a', 'alpha', 'bravo'], breakdown: null, valuesFrom: 0, ranges: [[1, 2]] },
    { ...series, breakdown: { kind: 'appVersion' }, valuesFrom: 0, ranges: [[0, 6]] },
    { ...series, breakdown: { kind: 'prop', prop: 'plan' }, valuesFrom: 0, ranges: [[0, 6]] },
  ],
  cohorts: [
    { boundariesUs: DAYS, cohorts: 3, people: ['user-1', 'nobody'], by: null },
    {
      ...{ boundariesUs: DAYS, cohorts: 3, people: ['user-1'] },
      by: { kind: 'first', of: { kind: 'platform' } },
    },
  ],
  lifecycle: [series],
  'lifecycle-people': [{ ...series, ...page, interval: 1, state: 'new' }],
  'series-people': [{ ...series, ...page, bucket: 1 }],
  retention: [{ ...retention, periods: 3 }],
  'retention-people': [{ ...retention, ...page, cohortIndex: 0, period: 0 }],
  funnel: [
    { ...rules, breakdown: null, trendFromUs: DAYS.slice(0, -1) },
    {
      ...rules,
      steps: [{ event: 'bravo' }, { event: 'alpha' }],
      breakdown: null,
      trendFromUs: null,
    },
    { ...rules, breakdown: { kind: 'prop', prop: 'plan' }, trendFromUs: null },
  ],
  'funnel-people': [{ ...rules, ...page, step: 1, dropped: false }],
  experiment: [{ ...rules, ...experiment }],
  'first-event': [{ ...window, names: null }],
  measures: [
    { ...series, ranges: [[0, 6]], measure: { of: 'people' } },
    { ...series, names: ['a'], ranges: [[0, 6]], measure: { of: 'sessionLength' } },
  ],
  names: [window],
  paths: (['after', 'before'] as const).map((direction) => ({
    ...window,
    ...{ names: ['a'], filters: {}, direction, shown: 5 },
  })),
  properties: [
    { ...window, name: null },
    { ...window, name: 'a' },
  ],
  recent: [
    { beforeUs, filters: {}, limit: 1_000 },
    { beforeUs, filters: {}, limit: 3 },
  ],
  person: ['user-both-1', 'device-both-1', 'user-alpha-1', 'user-bravo-1'].map((personId) => ({
    ...{ personIds: [personId], beforeUs, after: null, limit: 1_000 },
  })),
  'people-search': ['user-', 'device-', 'user-bravo'].map((prefix) => ({
    ...{ prefix, beforeUs, limit: 100 },
  })),
  versions: [{ boundariesUs: DAYS, minimumPeople: 1, minimumShare: 0 }],
};

/** Of writing and asking, not of what was sent. */
const MOVING = new Set(['dataThroughMs', 'arrival']);

async function answersTo(scope: { orgId: string; appId: string }): Promise<unknown[]> {
  const questions = Object.entries(ASKED).flatMap(([kind, all]) =>
    all.map((question) => ({ kind: kind as QueryKind, question: { ...question, ...scope } })),
  );
  const answers: unknown[] = [];
  for (const { kind, question } of questions) {
    const answer = await deps.queries.ask(kind, question as QuestionOf<typeof kind>);
    const text = JSON.stringify(answer, (key, value) => (MOVING.has(key) ? undefined : value));
    answers.push([kind, JSON.parse(text)]);
  }
  return answers;
}

/** What the views of analysts say of an app, and that none opens the forged file. */
async function viewsOf({ orgId, appId }: { orgId: string; appId: string }, path: string) {
  const session = await openAnalystSession(deps, orgId);
  try {
    await expect(session.ask(`FROM read_parquet('${path}')`)).rejects.toThrow();
    const events = `SELECT name, person_id, anonymous_id, props, occurred_at FROM events
      WHERE app_id = '${appId}' ORDER BY ALL`;
    const people = `SELECT person_id, events FROM people WHERE app_id = '${appId}' ORDER BY ALL`;
    return [(await session.ask(events)).rows, (await session.ask(people)).rows];
  } finally {
    await session.close();
  }
}

const someRun = fc.record({
  first: fc.tuple(someBatches('alpha'), someBatches('bravo')),
  // Sign-ups after the file was written, and what comes meanwhile.
  later: fc.tuple(someBatches('alpha'), someBatches('bravo')),
  isErased: fc.boolean(),
  level: fc.constantFrom(1, 2),
});

test('no question of one organization sees rows of another in a file that the catalogue calls its own', async () => {
  await fc.assert(
    fc.asyncProperty(someRun, async ({ first, later, isErased, level }) => {
      const made = await Promise.all(
        // The same for each organization twice: once as it should be, once with a forged file.
        [0, 1, 0, 1].map(async (n) => {
          const orgId = at(orgs, n);
          const { appId } = await createTestApp(service, orgId);
          return { orgId, appId, sent: at(first, n), later: at(later, n) };
        }),
      );
      const [honest, mixed] = [made.slice(0, 2), made.slice(2)];
      let path = '';
      for (const apps of [honest, mixed]) {
        await take(apps);
        if (apps === mixed) path = await forge(at(mixed, 0), level);
        await take(apps.map((app) => ({ ...app, sent: app.later })));
        for (const { orgId, appId } of isErased ? apps : []) {
          const scope = { orgId, appId };
          await sql.begin((tx) => eraseFromEvents(tx, scope, 'user-both-1', []));
        }
      }
      for (const n of [0, 1]) {
        const [before, after] = [at(honest, n), at(mixed, n)];
        expect(await answersTo(after)).toEqual(await answersTo(before));
        expect(await viewsOf(after, path)).toEqual(await viewsOf(before, path));
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
