import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { addRejections } from '../../../src/event-store/intake/queries.ts';
import { Rejections } from '../../../src/event-store/intake/rejections.ts';
import { EventLog } from '../../../src/event-store/log/event-log.ts';
import { announceEvents } from '../../../src/modules/webhooks/index.ts';
import { HOUR_MS } from '../../../src/shared/time.ts';
import { quietLog } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const compaction = await openCompactor({
  ...deps,
  onStored: (tx, rows) => announceEvents(tx, deps.clock, rows),
});

const USERS = ['alice-0001', 'bob-000001'];
/** A device may have the id of a user. */
const DEVICES = ['phone-0001', 'tablet-001', 'bob-000001'];
const IDS = [...new Set([...USERS, ...DEVICES])];

const KINDS = ['event', 'event', 'log', 'override', 'grant', 'refused'] as const;
const histories = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    anonymousId: fc.constantFrom(...DEVICES),
    userId: fc.option(fc.constantFrom(...USERS), { nil: undefined }),
    /** Names somebody else, in what is no field of an id. */
    words: fc.constantFrom(...IDS),
    isCompacted: fc.boolean(),
  }),
  { minLength: 4, maxLength: 14 },
);
type Drawn = { kind: (typeof KINDS)[number]; anonymousId: string; userId?: string; words: string };
type Made = Drawn & { n: number };

/** By the documents: the user sent, else the device's first user, else the device. */
function plainOwners(made: readonly Made[]) {
  const sent = made.filter(({ kind }) => kind === 'event');
  const users = new Map<string, string>();
  for (const { anonymousId, userId } of sent) {
    if (userId !== undefined && !users.has(anonymousId)) users.set(anonymousId, userId);
  }
  const ofDevice = (id: string) => users.get(id) ?? id;
  const people = new Set(sent.map((one) => one.userId ?? ofDevice(one.anonymousId)));
  const named = (id: string) => (people.has(id) ? id : ofDevice(id));
  const ownerOf = ({ kind, userId, anonymousId }: Made): string => {
    if (kind === 'override') return ofDevice(anonymousId);
    if (kind === 'grant') return named(userId ?? 'alice-0001');
    if (userId === undefined) return ofDevice(anonymousId);
    return kind === 'event' ? userId : named(userId);
  };
  return { named, ownerOf };
}

async function start() {
  const org = await createTestOrg(service);
  const { appId } = await createTestApp(service, org.orgId);
  const hook = {
    url: 'https://example.com/hook',
    events: ['event.received'],
    eventNames: ['opened'],
  };
  await call('/v1/webhooks', { body: hook, headers: org.key });
  const make = async ({ kind, n, anonymousId, userId, words }: Made): Promise<void> => {
    const from = { anonymousId, ...(userId && { userId }) };
    const props = { n, appId: words, userId: null, words };
    if (kind === 'event') {
      const log = await EventLog.open({ dir: deps.config.events.logDir, log: quietLog() });
      const body = Buffer.from(JSON.stringify({ events: [{ name: 'opened', ...from, props }] }));
      const receivedAt = Date.now() - HOUR_MS + n;
      await log.append({ org: org.orgId, app: appId, key: 'key_1', receivedAt, body });
      await log.close();
    } else if (kind === 'log') {
      const body = { message: words, fields: { appId, n, words, ...from } };
      expect((await call('/v1/logs', { body, headers: org.key })).status).toBe(202);
    } else if (kind === 'refused') {
      const rejections = new Rejections();
      const said = JSON.stringify({ events: [{ name: 'Not A Name', ...from, props }] });
      const where = { orgId: org.orgId, appId, environment: 'production' as const };
      rejections.add(where, `n${n}`, said, Date.now());
      await addRejections(deps.sql, rejections.take());
    } else if (kind === 'grant') {
      const body = { userId: userId ?? 'alice-0001', productId: `pro${n}`, note: `n${n}` };
      await call(`/v1/apps/${appId}/purchases/grants`, { body, headers: org.key });
    } else {
      const made = { experiment_id: `exp_${appId}_${n}`, arm_id: `n${n}`, created_at: new Date() };
      const row = { org_id: org.orgId, app_id: appId, anonymous_id: anonymousId, ...made };
      await deps.sql`INSERT INTO experiment_overrides ${deps.sql(row)}`;
    }
  };
  return { org, appId, make };
}

/** What each record of an export is, by the number that it was made with. */
function madeAs({ kind, data }: { kind: string; data: any }): string | null {
  if (kind === 'webhook_delivery') return `told ${JSON.parse(data.body).data.props.n}`;
  if (kind === 'log_entry') return `log ${JSON.parse(data.entry).fields.n}`;
  if (kind === 'experiment_override') return `override ${data.armId.slice(1)}`;
  if (kind === 'refused_batch' && data.lastExample !== null)
    return `refused ${data.reason.slice(1)}`;
  return kind === 'purchase_grant' ? `grant ${data.note.slice(1)}` : null;
}

type Told = Record<string, string[]>;

async function exportAll(appId: string, headers: Record<string, string>): Promise<Told> {
  const each = IDS.map(async (id): Promise<[string, string[]]> => {
    const { status, body } = await call(`/v1/apps/${appId}/person?personId=${id}`, { headers });
    if (status === 404) return [id, []];
    expect([status, body.nextCursor]).toEqual([200, null]);
    const events = body.events
      .filter(({ name }: { name: string }) => name === 'opened')
      .map(({ props }: { props: { n: number } }) => `event ${props.n}`);
    return [id, [...events, ...body.records.map(madeAs)].filter((one) => one !== null).toSorted()];
  });
  return Object.fromEntries(await Promise.all(each));
}

test('on a shared device an export and an erasure reach one person’s records alone', async () => {
  const property = fc.asyncProperty(histories, fc.constantFrom(...IDS), async (history, erased) => {
    const { org, appId, make } = await start();
    const made = history.map(({ isCompacted: _, ...one }, n): Made => {
      const { userId, ...rest } = one;
      return { ...rest, n, ...(userId !== undefined && { userId }) };
    });
    for (const [n, one] of made.entries()) {
      await make(one);
      if (history[n]?.isCompacted) await compactAll(compaction);
    }
    await compactAll(compaction);
    const { named, ownerOf } = plainOwners(made);
    const expected = (gone?: string): Told =>
      Object.fromEntries(
        IDS.map((id) => {
          const person = named(id);
          const own = made.filter((one) => ownerOf(one) === person);
          const names = own.flatMap(({ kind, n }) =>
            kind === 'event' ? [`event ${n}`, `told ${n}`] : [`${kind} ${n}`],
          );
          return [id, person === gone ? [] : names.toSorted()];
        }),
      );
    const shown = () => exportAll(appId, org.key);
    expect(await shown()).toEqual(expected());
    const path = `/v1/apps/${appId}/person?personId=${erased}`;
    expect((await call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
    expect(await shown()).toEqual(expected(named(erased)));
  });
  const [alice = '', bob = ''] = USERS;
  const words = 'phone-0001';
  const sent = (kind: 'event' | 'refused', anonymousId: string, userId?: string) => ({
    ...{ kind, anonymousId, userId, words, isCompacted: false },
  });
  /** The user, and the device of the same name, that is somebody else's. */
  const ofNamesakes = [sent('event', bob, alice), sent('event', words, bob)];
  ofNamesakes.push(sent('refused', words, bob), sent('refused', bob));
  await fc.assert(property, {
    ...{ numRuns: isFullRun ? 300 : 10, endOnFailure: true },
    examples: [[ofNamesakes, alice]],
  });
}, 3_600_000);

test('an example that the release before wrote over is the user’s of that id and the device’s', async () => {
  const [alice = '', bob = ''] = USERS;
  const { org, appId, make } = await start();
  const joined = { kind: 'event' as const, words: '' };
  await make({ ...joined, n: 0, anonymousId: bob, userId: alice });
  await make({ ...joined, n: 1, anonymousId: 'phone-0001', userId: bob });
  await compactAll(compaction);
  const atMs = Date.now();
  const refuse = async (ids: object) => {
    const rejections = new Rejections();
    const where = { orgId: org.orgId, appId, environment: 'production' as const };
    rejections.add(where, 'n2', JSON.stringify({ events: [ids] }), atMs);
    await addRejections(deps.sql, rejections.take());
  };
  const shownTo = async () => {
    const told = await exportAll(appId, org.key);
    return [alice, bob].filter((id) => told[id]?.includes('refused 2'));
  };
  for (const [sent, owner] of [
    [{ userId: bob }, bob],
    [{ anonymousId: bob }, alice],
  ] as const) {
    await refuse(sent);
    expect(await shownTo()).toEqual([owner]);
    await deps.sql`
      UPDATE event_rejections SET batches = batches + 1, last_example = 'another', people = ${[bob]}
      WHERE app_id = ${appId}`;
    expect(await shownTo()).toEqual([alice, bob]);
    await refuse(sent);
    expect(await shownTo()).toEqual([owner]);
  }
});
