import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { insertImportChunk } from '../../../src/event-store/append.ts';
import { compactNow } from '../../../src/event-store/keep.ts';
import { importEventsFile } from '../../../src/modules/events/imports/import-file.ts';
import { parseRenames } from '../../../src/modules/events/imports/renames.ts';
import { undoImportOfFile } from '../../../src/modules/events/imports/undo-file.ts';
import { ONBOARDING_FUNNEL } from '../../../src/modules/funnels/model.ts';
import { must } from '../../../src/shared/assert.ts';
import type { Tx } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const ctx = { deps, requestId: 'test' };
const { orgId, key: headers } = await createTestOrg(service);
const folder = mkdtempSync(join(tmpdir(), 'undo-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_MS = 86_400_000;
const start = Date.now() - 9 * DAY_MS;
const context = { platform: 'ios', appVersion: '1.0' };

type Sent = { id: string; name: string; ts: string; anonymousId: string; userId?: string };
const event = (id: string, name: string, day: number, device: string, userId?: string): Sent => ({
  id: `event-${id}`,
  name,
  ts: new Date(start + day * DAY_MS).toISOString(),
  anonymousId: `device-${device}`,
  ...(userId !== undefined && { userId }),
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Sixty people, of whom the last ten have signed in. */
const BEFORE = range(0, 60).flatMap((n) => [
  event(`opened-${n}`, 'app_opened', 0, `${n}`),
  event(`seen-${n}`, 'paywall_viewed', 1, `${n}`),
  ...(n < 50 ? [] : [event(`own-${n}`, 'signed_in', 1, `${n}`, `user-own-${n}`)]),
]);
const LATER = range(20, 25).map((n) =>
  event(`later-${n}`, 'signed_in', 6, `${n}`, `user-later-${n}`),
);
/** In the file, then sent by the app as well. */
const REPEATED = [
  ...range(30, 35).map((n) => event(`both-${n}`, 'app_opened', 4, `${n}`)),
  event('both-36', 'signed_in', 4, '36', 'user-both'),
];
const IMPORTED = [
  ...range(0, 10).map((n) => event(`joined-${n}`, 'signed_in', 2, `${n}`, `user-joined-${n}`)),
  ...range(20, 25).map((n) => event(`first-${n}`, 'signed_in', 2, `${n}`, `user-first-${n}`)),
  ...range(50, 55).map((n) => event(`other-${n}`, 'signed_in', 2, `${n}`, `user-other-${n}`)),
  ...range(100, 160).map((n) => event(`only-${n}`, 'session_begin', 3, `${n}`)),
];
/** Of the app; it keeps them. */
const SENT_BEFORE = BEFORE.filter(({ name }) => name === 'paywall_viewed').slice(0, 7);

let files = 0;
function fileOf(events: readonly Sent[]): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, events.map((one) => JSON.stringify({ ...one, ...context })).join('\n'));
  return path;
}
/** Each file has a line of its own, so that every app may import one of its own. */
const ownFile = (appId: string) =>
  fileOf([...IMPORTED, ...REPEATED, ...SENT_BEFORE, event(appId, 'app_opened', 3, appId)]);

type App = Awaited<ReturnType<typeof createTestApp>>;

async function send({ device }: App, events: readonly Sent[]): Promise<void> {
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100), context };
    expect((await call('/v1/events', { body, headers: device })).status).toBe(202);
  }
}

const PEOPLE = ['device-0', 'device-21', 'user-later-21', 'device-30', 'device-36', 'device-50'];
const GONE = ['user-joined-3', 'user-first-22', 'user-other-52', 'device-120'];

/** All that differs between two apps with the same events is left out. */
async function answersOf({ appId }: App): Promise<unknown> {
  const base = `/v1/apps/${appId}`;
  const get = async (path: string) => (await call(`${base}${path}`, { headers })).body;
  const { id } = (await call(`${base}/funnels`, { headers, body: ONBOARDING_FUNNEL })).body;
  const { steps } = await get(`/funnels/${id}/report?days=30`);
  const people = [];
  for (const person of PEOPLE) {
    const { personId, anonymousIds, events } = await get(`/people/${person}`);
    const shown = events.map((one: any) => [one.name, one.eventId, one.occurredAt, one.personId]);
    people.push({ personId, anonymousIds, events: shown.toSorted() });
  }
  const gone = [];
  for (const person of GONE)
    gone.push((await call(`${base}/people/${person}`, { headers })).status);
  const { window: _, ...summary } = await get('/events/summary?days=30');
  return {
    summary,
    series: (await get('/events/series?interval=day&days=28')).series,
    byUser: (await get('/events/series?interval=day&days=28&names=signed_in')).series,
    found: await get('/people?search=user-'),
    ...{ steps, people, gone },
  };
}

/** Of what is in files. */
async function acceptedBy({ appId }: App): Promise<number> {
  const { hours } = (await call(`/v1/apps/${appId}/events/ingestion`, { headers })).body;
  return hours.reduce((sum: number, hour: { accepted: number }) => sum + hour.accepted, 0);
}

const STATES = {
  'in shared files': () => compactEverything(deps),
  'in files of one app with projections': async () => {
    await compactEverything(deps);
    await compactNow(ctx);
  },
};

async function importedAndTwin(settle: () => Promise<unknown>) {
  const [app, twin] = [await createTestApp(service, orgId), await createTestApp(service, orgId)];
  for (const one of [app, twin]) await send(one, BEFORE);
  await settle();
  const path = ownFile(app.appId);
  const imported = await importEventsFile(ctx, { appId: app.appId, path });
  await settle();
  for (const one of [app, twin]) await send(one, [...LATER, ...REPEATED]);
  // A repeat is known once its original is in a file.
  await compactEverything(deps);
  await settle();
  return { app, twin, path, imported };
}

describe.each(Object.entries(STATES))('an import that is undone while it is %s', (_, settle) => {
  test('leaves what the app sent itself, and is said before', async () => {
    const { app, twin, path, imported } = await importedAndTwin(settle);
    const input = { appId: app.appId, path };
    const planned = await undoImportOfFile(ctx, { ...input, dryRun: true });
    expect(planned).toMatchObject({
      importId: imported.importId,
      events: IMPORTED.length + 1,
      kept: REPEATED.length,
      names: [
        { name: 'session_begin', events: 60 },
        { name: 'signed_in', events: 20 },
        { name: 'app_opened', events: 1 },
      ],
      parted: 15,
    });
    expect(await answersOf(app)).not.toEqual(await answersOf(twin));
    const announced: unknown[] = [];
    const announce = (one: unknown) => announced.push(one);
    const undone = await undoImportOfFile(ctx, { ...input, announce });
    expect(undone).toEqual(planned);
    expect(await acceptedBy(app)).toBe(await acceptedBy(twin));
    expect(announced.map((one) => ({ importId: imported.importId, ...(one as object) }))).toEqual([
      planned,
    ]);
    expect(await answersOf(app)).toEqual(await answersOf(twin));
    await expect(undoImportOfFile(ctx, input)).rejects.toThrow('Nothing of this was imported');
    await compactEverything(deps);
    await compactNow(ctx);
    expect(await answersOf(app)).toEqual(await answersOf(twin));
  });

  test('can be imported again under other names, and what comes late counts once', async () => {
    const { app, twin, path, imported } = await importedAndTwin(settle);
    const { appId } = app;
    await undoImportOfFile(ctx, { appId, path: must(imported.importId, 'an id to undo it by') });
    const renames = parseRenames(['session_begin=app_opened']);
    const again = await importEventsFile(ctx, { appId, path, renames });
    expect(again).toMatchObject({ wasThere: false, events: imported.events });
    expect(again.importId).not.toBe(imported.importId);
    await importEventsFile(ctx, { appId: twin.appId, path, renames });
    // Both the app's own and the file's, all over again.
    for (const one of [app, twin]) await send(one, [...BEFORE, ...REPEATED, ...LATER]);
    await compactEverything(deps);
    await settle();
    const [answers, wanted] = [await answersOf(app), await answersOf(twin)] as any[];
    expect(answers.summary.names.find((one: any) => one.name === 'session_begin')).toBeUndefined();
    expect(answers).toEqual(wanted);
  });
});

test('an import that is undone while it is in the log leaves what the app sent itself', async () => {
  const [app, twin] = [await createTestApp(service, orgId), await createTestApp(service, orgId)];
  for (const one of [app, twin]) await send(one, BEFORE);
  const { appId } = app;
  const path = ownFile(appId);
  await importEventsFile(ctx, { appId, path });
  for (const one of [app, twin]) await send(one, [...LATER, ...REPEATED]);
  await undoImportOfFile(ctx, { appId, path });
  expect(await answersOf(app)).toEqual(await answersOf(twin));
  await compactEverything(deps);
  await compactNow(ctx);
  expect(await answersOf(app)).toEqual(await answersOf(twin));
});

test('an import stays where an app repeats all of it, and its file is free again', async () => {
  const app = await createTestApp(service, orgId);
  const events = range(0, 5).map((n) => event(`all-${n}`, 'app_opened', 1, `all-${n}`));
  const path = fileOf(events);
  await importEventsFile(ctx, { appId: app.appId, path });
  await compactEverything(deps);
  await send(app, events);
  await compactEverything(deps);
  const undone = await undoImportOfFile(ctx, { appId: app.appId, path });
  expect(undone).toMatchObject({ events: 0, people: 0, kept: 5, firstAt: null, names: [] });
  await importEventsFile(ctx, { appId: app.appId, path });
  await compactEverything(deps);
  const { body } = await call(`/v1/apps/${app.appId}/events/summary`, { headers });
  expect(body.events).toBe(5);
});

test('what two imports brought stays until both are undone', async () => {
  const { appId, ...app } = await createTestApp(service, orgId);
  const shared = [
    ...range(0, 4).map((n) => event(`shared-${n}`, 'opened', 1, `shared-${n}`)),
    event('shared-in', 'signed_in', 1, 'shared-0', 'user-shared'),
  ];
  const [first, second] = [
    fileOf([...shared, event('first', 'opened', 1, 'first')]),
    fileOf([...shared, event('second', 'opened', 1, 'second')]),
  ];
  for (const path of [first, second]) await importEventsFile(ctx, { appId, path });
  await compactEverything(deps);
  expect(await undoImportOfFile(ctx, { appId, path: first })).toMatchObject({ events: 1, kept: 5 });
  expect(await eventsOf(appId)).toBe(6);
  const { personId } = (await call(`/v1/apps/${appId}/people/device-shared-0`, { headers })).body;
  expect(personId).toBe('user-shared');
  // One of them is sent by the app as well.
  await send({ appId, ...app }, shared.slice(1, 2));
  await compactEverything(deps);
  const last = await undoImportOfFile(ctx, { appId, path: second });
  expect(last).toMatchObject({ events: 5, kept: 1, parted: 1 });
  expect(await eventsOf(appId)).toBe(1);
  for (const path of [first, second]) await importEventsFile(ctx, { appId, path });
  await compactEverything(deps);
  expect(await eventsOf(appId)).toBe(7);
});

const MANY = range(0, 5_100).map((n) => event(`run-${n}`, 'opened', 1, `run-${n % 9}`));
const eventsOf = async (appId: string): Promise<number> =>
  (await call(`/v1/apps/${appId}/events/summary`, { headers })).body.events;

test('an import that was killed is undone as far as it came', async () => {
  const { appId } = await createTestApp(service, orgId);
  const path = fileOf(MANY);
  const killed = new AbortController();
  const input = { appId, path, report: () => killed.abort(), signal: killed.signal };
  await expect(importEventsFile(ctx, input)).rejects.toThrow();
  await compactEverything(deps);
  expect(await undoImportOfFile(ctx, { appId, path })).toMatchObject({ people: 9 });
  await compactEverything(deps);
  expect(await eventsOf(appId)).toBe(0);
  await importEventsFile(ctx, { appId, path });
  expect(await eventsOf(appId)).toBe(MANY.length);
});

test('an import that is undone while it runs says so, and leaves nothing', async () => {
  const { appId } = await createTestApp(service, orgId);
  const path = fileOf(MANY);
  let appended = 0;
  const append: typeof deps.events.append = async (record) => {
    appended += 1;
    // The first batch of the last lines.
    if (appended === 51) await undoImportOfFile(ctx, { appId, path });
    return deps.events.append(record);
  };
  const importing = { ...ctx, deps: { ...deps, events: { ...deps.events, append } } };
  await expect(importEventsFile(importing, { appId, path })).rejects.toThrow(
    'was undone meanwhile',
  );
  expect(await eventsOf(appId)).toBe(0);
  await compactEverything(deps);
  expect(await eventsOf(appId)).toBe(0);
});

test('an import that goes on while it is undone stays', async () => {
  const app = await createTestApp(service, orgId);
  const { appId } = app;
  const path = fileOf(range(0, 9).map((n) => event(`on-${n}`, 'opened', 1, `on-${n}`)));
  await send(app, [event('own', 'opened', 1, 'own')]);
  await compactEverything(deps);
  const { importId } = await importEventsFile(ctx, { appId, path });
  await compactEverything(deps);
  const of = { orgId, appId, importId: must(importId, 'an id to undo it by') };
  let isExamined = false;
  const begin = async (work: (tx: Tx) => Promise<unknown>) => {
    if (isExamined) await insertImportChunk(deps.sql, of, Date.now());
    return deps.sql.begin(work);
  };
  const sql = new Proxy(deps.sql, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
  const undoing = { ...ctx, deps: { ...deps, sql } };
  const announce = () => {
    isExamined = true;
  };
  await expect(undoImportOfFile(undoing, { appId, path, announce })).rejects.toThrow(
    'The import is under way',
  );
  expect(await eventsOf(appId)).toBe(10);
  await undoImportOfFile(ctx, { appId, path });
  expect(await eventsOf(appId)).toBe(1);
});

test('an import of an earlier release is refused, as is what was never imported', async () => {
  const { appId } = await createTestApp(service, orgId);
  const path = fileOf([event('old', 'opened', 1, 'of-old')]);
  const undo = (from: string) => undoImportOfFile(ctx, { appId, path: from });
  await expect(undo(path)).rejects.toThrow('Nothing of this was imported');
  await expect(undo('imp_0000')).rejects.toThrow('Nothing of this was imported');
  await importEventsFile(ctx, { appId, path });
  await deps.sql`UPDATE imported_files SET import_id = NULL WHERE app_id = ${appId}`;
  await expect(undo(path)).rejects.toThrow('An earlier release imported it');
});

test('the command says what it would remove, and then what it removed', async () => {
  const { appId } = await createTestApp(service, orgId);
  const path = fileOf(range(0, 3).map((n) => event(`cli-${n}`, 'opened', n, `cli-${n}`)));
  const run = async (...words: string[]) => {
    const command = must(
      COMMANDS.find(({ name }) => name === 'import events'),
      'the command',
    );
    const { text } = await command.prepare([path, '--app', appId, ...words])(ctx);
    return text;
  };
  expect(await run()).toMatch(
    /It is import imp_\w+; --undo with this id or the file takes it back/,
  );
  await compactEverything(deps);
  const planned = await run('--undo', '--dry-run');
  expect(planned).toStartWith('3 events of 3 people would be removed. Nothing was changed.');
  expect(planned).toMatch(/3 +opened/);
  expect(await run('--undo')).toMatch(
    /^Import imp_\w+ is undone: 3 events of 3 people were removed/,
  );
});
