import { expect, test } from 'bun:test';
import { PERSON_PLACES } from '../../../src/app/chapters.ts';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { openCompactor } from '../../../src/event-store/parquet/compactor.ts';
import { finishErasures } from '../../../src/event-store/people/erasure-queries.ts';
import { must } from '../../../src/shared/assert.ts';
import { contractRow } from '../../../src/storage/postgres.ts';
import { everyFile, everyRow } from '../../support/everywhere.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { drawPerson, storePerson, type WholePerson } from '../../support/whole-person.ts';

const PEOPLE = isFullRun ? 500 : 14;
const BYSTANDERS = isFullRun ? 50 : 4;
const SEED = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9));
const random = randomFrom(SEED);

const database = await testDatabase();
const { sql } = database;
const service = await startTestService(database, { env: { DISK_FLOOR_MB: '1' } });
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const apps = `/v1/apps/${app.appId}`;

/** An experiment that runs, so that asking for an arm is an exposure. */
async function startExperiment(): Promise<string> {
  const onboarding = await call(`${apps}/onboardings`, {
    body: { name: 'one', config: {} },
    headers: org.key,
  });
  const arm = { weight: 1, onboardingId: onboarding.body.id };
  const made = await call(`${apps}/experiments`, {
    body: {
      name: 'ab',
      arms: [
        { name: 'a', ...arm },
        { name: 'b', ...arm },
      ],
    },
    headers: org.key,
  });
  const path = `${apps}/experiments/${made.body.id}`;
  await call(path, { method: 'PATCH', body: { status: 'running' }, headers: org.key });
  return made.body.id;
}

const search = async () => {
  const files = await everyFile(service.dataDir, { not: ['tmp'] });
  const events = files.filter(({ place, text }) => place.endsWith('.parquet') && text[0] === '{');
  return { rows: await everyRow(sql), files, events: events.map(({ text }) => text) };
};

async function maintain(): Promise<void> {
  const compactor = await openCompactor(deps, { name: 'keeper', memoryMb: 128, threads: 1 });
  for (let jobs = await planJobs(compactor); jobs.length > 0; jobs = await planJobs(compactor)) {
    for (const job of jobs) await runJob(compactor, job);
  }
  await finishErasures(sql);
  await sql`UPDATE event_files SET retired_at = now() - interval '1 day' WHERE state = 'retired'`;
  await sweepRetired(deps);
}

const idsOf = ({ userId, devices }: WholePerson) => [...(userId ? [userId] : []), ...devices];
const anyIdOf = (person: WholePerson) => {
  const ids = idsOf(person);
  return ids[Math.floor(random() * ids.length)] ?? '';
};
const byId = (personId: string, rest = {}) =>
  `${apps}/person?${new URLSearchParams({ personId, ...rest })}`;

type Exported = {
  anonymousIds: string[];
  events: unknown[];
  records: { kind: string; data: object }[];
};

async function exportOf(person: WholePerson): Promise<Exported> {
  const whole: Exported = { anonymousIds: [], events: [], records: [] };
  const id = anyIdOf(person);
  const limit = String(1 + Math.floor(random() * 9));
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await call(byId(id, { limit, ...(cursor && { cursor }) }), { headers: org.key });
    expect([page.status, page.body.personId]).toEqual([200, person.userId ?? person.devices[0]]);
    whole.anonymousIds = page.body.anonymousIds;
    whole.events.push(...page.body.events);
    whole.records.push(...page.body.records);
    cursor = page.body.nextCursor;
  }
  return whole;
}

/** Tables whose rows an export shows in a form of their own. */
const SHOWN_OTHERWISE: Readonly<Record<string, string>> = {
  event_people: 'anonymousIds',
  purchase_settings: 'the ids of the person in the list',
  event_files: 'the bounds of the events in a file, which are shown',
};

/** Known to the caller, or with a route of their own. */
const SCOPE = ['org_id', 'app_id', 'users'];

/** Columns that tell of others: of the member who made the change. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  audit_entries: ['actor_id', 'address', 'user_agent'],
};

function without(data: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
}

const isSame = (a: object, b: object) => Bun.deepEquals(a, b);

test(`what an export of ${PEOPLE} people shows is all that their erasure takes (seed ${SEED})`, async () => {
  const stage = { service, org, app, experimentId: await startExperiment() };
  const hook = { url: 'https://example.com/hook', events: ['entitlement.changed'] };
  await call('/v1/webhooks', { body: hook, headers: org.key });
  // Who never signed in is one person for each device.
  const drawn = Array.from({ length: PEOPLE + BYSTANDERS }, (_, n) => drawPerson(random, n));
  const people = drawn.map((one) =>
    one.userId ? one : { ...one, devices: one.devices.slice(0, 1) },
  );
  for (const [n, person] of people.entries()) {
    await storePerson(stage, person, { random, n });
    if (n === Math.floor(PEOPLE / 2)) await compactEverything(deps);
  }
  const [erased, kept] = [people.slice(0, PEOPLE), people.slice(PEOPLE)];
  const isOf = ({ marker }: WholePerson, text: string) => text.includes(marker);
  const exports = new Map<WholePerson, Exported>();
  for (const person of people) exports.set(person, await exportOf(person));
  const kinds = [...exports.values()].flatMap(({ records }) => records.map(({ kind }) => kind));
  const declared = PERSON_PLACES.map(({ kind }) => kind);
  expect([...new Set(kinds)].toSorted(), 'storePerson stores each kind').toEqual(
    declared.toSorted(),
  );
  await compactEverything(deps);
  const before = await search();

  for (const person of erased) {
    const { events, records, anonymousIds } = must(exports.get(person), 'everybody was exported');
    const stored = before.events.filter((event) => isOf(person, event));
    expect(events.length, `events of ${person.marker}`).toBe(stored.length);
    if (person.userId) expect(anonymousIds).toEqual(person.devices.toSorted());
    for (const { table, data, text } of before.rows.filter((row) => isOf(person, row.text))) {
      if (table in SHOWN_OTHERWISE) continue;
      const row = contractRow(without(data, [...SCOPE, ...(OF_OTHERS[table] ?? [])]));
      const isShown = records.some((one) => isSame(one.data, row));
      expect([table, text, isShown]).toEqual([table, text, true]);
    }
  }

  for (const person of erased) {
    const answer = await call(byId(anyIdOf(person)), { method: 'DELETE', headers: org.key });
    expect(answer.status).toBe(204);
  }
  await maintain();
  const after = await search();
  for (const person of erased) {
    const ids = idsOf(person);
    for (const id of ids) expect((await call(byId(id), { headers: org.key })).status).toBe(404);
    const left = after.rows.filter(({ text }) =>
      ids.some((id) => text.includes(JSON.stringify(id).slice(1, -1))),
    );
    expect(left.map(({ table, text }) => [table, text])).toEqual([]);
    const inFiles = after.files.filter(({ text }) => isOf(person, text));
    expect(inFiles.map(({ place }) => place)).toEqual([]);
  }
  for (const person of kept) {
    const { events, records } = await exportOf(person);
    expect([events.length, records]).toEqual([
      exports.get(person)?.events.length ?? -1,
      exports.get(person)?.records ?? [],
    ]);
  }
});
