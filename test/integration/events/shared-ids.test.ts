import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import type { QueryKind, QuestionOf } from '../../../src/query/kinds.ts';
import { at } from '../../../src/shared/assert.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { deps } = service;
await startTestQueries(deps);
const compaction = await openCompactor(deps);
const { orgId } = await createTestOrg(service);

const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS;
const DAYS = Array.from({ length: 7 }, (_, n) => (START_MS + n * DAY_MS) * 1_000);
const [fromUs, beforeUs] = [at(DAYS, 0), at(DAYS, 6)];

/** Orders of the same events that each are asked about. */
const ORDERS = 5;
const IDS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Whom a device signs in as, if anybody: some users have the id of a device, or of their own. */
const someUsers = fc.tuple(
  ...IDS.map(() => fc.option(fc.constantFrom(...IDS, 'ann', 'ben'), { freq: 3 })),
);
const someEvents = fc.array(
  fc.record({
    name: fc.constantFrom('opened', 'bought', 'closed'),
    device: fc.nat({ max: IDS.length - 1 }),
    isSignedIn: fc.boolean(),
    atMs: fc.integer({ min: 0, max: 5 * DAY_MS - 1 }),
  }),
  { minLength: 4, maxLength: 24 },
);

type Step = { events: StoredEvent[]; next: 'wait' | 'compact' | 'rewrite' };

/** The events in some order, in batches, and how far each comes before the next. */
function inSomeOrder(events: readonly StoredEvent[], random: () => number): Step[] {
  const left = events
    .map((event) => ({ event, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ event }) => event);
  const steps: Step[] = [];
  while (left.length > 0) {
    const batch = left.splice(0, 1 + Math.floor(random() * 6));
    const chance = random();
    const next = chance < 0.4 ? 'wait' : chance < 0.8 ? 'compact' : 'rewrite';
    steps.push({ events: batch, next });
  }
  return steps;
}

async function send(appId: string, steps: readonly Step[]): Promise<void> {
  for (const [n, { events, next }] of steps.entries()) {
    const log = await EventLog.open({ dir: deps.config.events.logDir, log: quietLog() });
    await log.append({
      ...{ org: orgId, app: appId, key: 'key_1', receivedAt: START_MS + 6 * DAY_MS + n },
      body: Buffer.from(JSON.stringify({ events, context: { platform: 'ios' } })),
    });
    await log.close();
    if (next !== 'wait') await compactAll(compaction);
    if (next === 'rewrite') while ((await coalesceOnce(compaction)) > 0);
  }
}

const window = { fromUs, beforeUs };
const steps = [{ event: 'opened' }, { event: 'bought' }];
const rules = { steps, fromUs, startBeforeUs: beforeUs, windowUs: DAY_MS * 2_000, filters: {} };
const retention = {
  ...{ boundariesUs: DAYS, cohorts: 3, cohort: 'first' as const, criterion: 'on' as const },
  ...{ periodUs: null, periods: 3 },
};
const series = { boundariesUs: DAYS, names: null, filters: {}, valuesFrom: 0 };
const page = { after: null, limit: 100 };
const ASKED: { [K in QueryKind]?: Omit<QuestionOf<K>, 'orgId' | 'appId'>[] } = {
  summary: [{ ...window, limit: 50 }],
  series: [
    { ...series, breakdown: null, ranges: [[0, 6]] },
    { ...series, names: ['bought'], breakdown: null, ranges: [[0, 6]] },
  ],
  'series-people': [{ ...series, ...page, bucket: 1 }],
  retention: [retention],
  'retention-people': [{ ...retention, ...page, cohortIndex: 0, period: 0 }],
  funnel: [{ ...rules, breakdown: null, trendFromUs: DAYS.slice(0, -1) }],
  'funnel-people': [{ ...rules, ...page, step: 1, dropped: false }],
  'people-search': ['o', 't', 'f', 's', 'a', 'b'].map((prefix) => ({
    prefix,
    beforeUs,
    limit: 100,
  })),
  recent: [{ beforeUs, filters: {}, limit: 1_000 }],
  person: [...IDS, 'ann'].map((personId) => ({
    ...{ personIds: [personId], beforeUs, after: null, limit: 1_000 },
  })),
};

/** Of writing and asking, not of what was sent. */
const MOVING = new Set(['dataThroughMs', 'arrival', 'batchIndex', 'receivedAtUs']);
/** Lists are in order of receipt. */
const LISTS = new Set<string>(['recent', 'person', 'people-search']);

async function answersTo(appId: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [kind, questions] of Object.entries(ASKED)) {
    for (const question of questions) {
      const answer = await deps.queries.ask(
        kind as QueryKind,
        { ...question, orgId, appId } as QuestionOf<QueryKind>,
      );
      const known = JSON.parse(
        JSON.stringify(answer, (key, value) => (MOVING.has(key) ? undefined : value)),
      );
      for (const [name, rows] of Object.entries(known)) {
        if (!LISTS.has(kind) || !Array.isArray(rows)) continue;
        known[name] = rows.map((row) => JSON.stringify(row)).toSorted();
      }
      answers.push([kind, known]);
    }
  }
  return answers;
}

/** By the rule of the documents: the user sent, else the device's user, else the device. */
function peopleOf(events: readonly StoredEvent[]): string[] {
  const users = new Map<string, string>();
  for (const { anonymousId, userId } of events) if (userId) users.set(anonymousId, userId);
  const people = events.map(
    ({ anonymousId, userId }) => userId ?? users.get(anonymousId) ?? anonymousId,
  );
  return [...new Set(people)].toSorted();
}

test('people are the same in whatever order, batches and files events are, also by ids of devices that are users too', async () => {
  await fc.assert(
    fc.asyncProperty(someUsers, someEvents, fc.nat(), async (users, shapes, seed) => {
      const random = randomFrom(seed);
      const events = shapes.map(({ name, device, isSignedIn, atMs }): StoredEvent => {
        const userId = isSignedIn ? users[device] : null;
        const ts = new Date(START_MS + atMs).toISOString();
        return { name, anonymousId: at(IDS, device), ts, ...(userId && { userId }) };
      });
      let first: unknown[] | null = null;
      for (let order = 0; order < ORDERS; order += 1) {
        const { appId } = await createTestApp(service, orgId);
        await send(
          appId,
          order === 0 ? [{ events, next: 'compact' }] : inSomeOrder(events, random),
        );
        const answers = await answersTo(appId);
        first ??= answers;
        expect(answers).toEqual(first);
        const summary = await deps.queries.ask('summary', { ...window, limit: 1, orgId, appId });
        expect(summary.people).toBe(peopleOf(events).length);
      }
    }),
    { numRuns: isFullRun ? 100 : 4, endOnFailure: true },
  );
});
