import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import type { StoredEvent } from '../../../src/event-store/event/stored-batch.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { finishErasures } from '../../../src/event-store/people/erasure-queries.ts';
import { at } from '../../../src/shared/assert.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const compaction = await openCompactor(deps);
const org = await createTestOrg(service);

const USERS = ['alice', 'bob', 'carol'];
/** Users' ids are sent as devices' too: by aliases of two users, and by servers. */
const DEVICES = ['phone', 'tablet', ...USERS];

const histories = fc.array(
  fc.record({
    anonymousId: fc.constantFrom(...DEVICES),
    userId: fc.option(fc.constantFrom(...USERS), { freq: 3, nil: undefined }),
    next: fc.constantFrom('wait', 'wait', 'compact', 'maintain'),
  }),
  { minLength: 3, maxLength: 14 },
);
/** Whose device is named has an id that is another's device. */
const aliasOfLater = [
  { anonymousId: 'bob', userId: undefined, next: 'wait' },
  { anonymousId: 'phone', userId: 'bob', next: 'wait' },
  { anonymousId: 'bob', userId: 'alice', next: 'wait' },
];
type Sent = { anonymousId: string; userId?: string | undefined; n: number };

/** By the documents: the user sent, else the device's first user, else the device. */
function plainPeople(sent: readonly Sent[]) {
  const users = new Map<string, string>();
  for (const { anonymousId, userId } of sent) {
    if (userId !== undefined && !users.has(anonymousId)) users.set(anonymousId, userId);
  }
  const personOf = ({ anonymousId, userId }: Sent) =>
    userId ?? users.get(anonymousId) ?? anonymousId;
  const events = Map.groupBy(sent, personOf);
  /** An id with events of its own is that person, whatever alias it has. */
  const named = (id: string) => (events.has(id) ? id : (users.get(id) ?? id));
  return { events, named };
}

async function maintain(): Promise<void> {
  for (let jobs = await planJobs(compaction); jobs.length > 0; jobs = await planJobs(compaction)) {
    for (const job of jobs) await runJob(compaction, job);
  }
  await finishErasures(deps.sql);
}

async function send(appId: string, { anonymousId, userId, n }: Sent): Promise<void> {
  const log = await EventLog.open({ dir: deps.config.events.logDir, log: quietLog() });
  const event: StoredEvent = {
    name: 'opened',
    anonymousId,
    props: { n },
    ...(userId && { userId }),
  };
  const receivedAt = Date.now() - HOUR_MS + n;
  const body = Buffer.from(JSON.stringify({ events: [event] }));
  await log.append({ org: org.orgId, app: appId, key: 'key_1', receivedAt, body });
  await log.close();
}

type Exported = { personId: string; events: number[] } | null;

async function exportOf(appId: string, id: string): Promise<Exported> {
  const path = `/v1/apps/${appId}/person?personId=${id}`;
  const { status, body } = await call(path, { headers: org.key });
  if (status === 404) return null;
  expect([status, body.error]).toEqual([200, undefined]);
  const events = body.events.map(({ props }: { props: { n: number } }) => props.n);
  return { personId: body.personId, events: events.toSorted((a: number, b: number) => a - b) };
}

test('an id means its own person, whose erasure and export touch nobody else', async () => {
  const property = fc.asyncProperty(
    histories,
    fc.constantFrom(...DEVICES),
    fc.constantFrom('wait', 'compact', 'maintain'),
    async (history, erased, last) => {
      const { appId } = await createTestApp(service, org.orgId);
      const sent = history.map(({ anonymousId, userId }, n) => ({ anonymousId, userId, n }));
      for (const [n, { next }] of history.entries()) {
        await send(appId, at(sent, n));
        if (next !== 'wait') await compactAll(compaction);
        if (next === 'maintain') await maintain();
      }
      const { events, named } = plainPeople(sent);
      const numbers = (person: string) => events.get(person)?.map(({ n }) => n) ?? [];
      const expected = (id: string, gone?: string): Exported => {
        const person = named(id);
        return person === gone || !events.has(person)
          ? null
          : { personId: person, events: numbers(person) };
      };
      const exports = async () =>
        Object.fromEntries(
          await Promise.all(DEVICES.map(async (id) => [id, await exportOf(appId, id)])),
        );
      const plain = (gone?: string) =>
        Object.fromEntries(DEVICES.map((id) => [id, expected(id, gone)]));
      expect(await exports()).toEqual(plain());

      const path = `/v1/apps/${appId}/person?personId=${erased}`;
      expect((await call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
      const gone = named(erased);
      const check = async () => {
        expect(await exports()).toEqual(plain(gone));
        const summary = await call(`/v1/apps/${appId}/events/summary`, { headers: org.key });
        const left = [...events].filter(([person]) => person !== gone);
        expect([summary.body.people, summary.body.events]).toEqual([
          left.length,
          left.flatMap(([, own]) => own).length,
        ]);
      };
      await check();
      if (last !== 'wait') await compactAll(compaction);
      if (last === 'maintain') await maintain();
      if (last !== 'wait') await check();
    },
  );
  await fc.assert(property, {
    numRuns: isFullRun ? 300 : 4,
    examples: [[aliasOfLater, 'phone', 'wait']],
  });
});
