import { describe, expect, test } from 'bun:test';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../../src/admin/cli.ts';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { createDeps } from '../../../src/app/deps.ts';
import { loadConfig } from '../../../src/config.ts';
import { liveFilesOfApp, liveFilesOfLevel } from '../../../src/event-store/catalogue/queries.ts';
import { sweepRetired } from '../../../src/event-store/catalogue/sweep.ts';
import { planJobs, runJob } from '../../../src/event-store/maintenance/jobs.ts';
import { mergeFiles, rewriteFiles } from '../../../src/event-store/maintenance/rewrite.ts';
import { splitFiles } from '../../../src/event-store/maintenance/split.ts';
import { deleteAppEvents } from '../../../src/event-store/people/erasure-queries.ts';
import { backup } from '../../../src/modules/backup/index.ts';
import { rebuildEvents } from '../../../src/modules/backup/rebuild.ts';
import { createKey } from '../../../src/modules/identity/index.ts';
import { PERMISSIONS } from '../../../src/shared/permissions.ts';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.ts';
import { openObjectStore, openObjectStoreAt } from '../../../src/storage/object-store/open.ts';
import { type EventService, startEventService } from '../../support/event-service.ts';
import { temporaryFolder } from '../../support/events.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { testS3 } from '../../support/s3-server.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/service.ts';

const s3 = await testS3();

const PLACES = [
  { name: 'a folder', newPlace: () => String(pathToFileURL(temporaryFolder('place'))), env: {} },
  ...(s3
    ? [
        {
          name: 'a bucket',
          newPlace: () => `s3://events-bucket/${crypto.randomUUID()}`,
          env: {
            S3_ENDPOINT: s3.endpoint,
            S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
            S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
          },
        },
      ]
    : []),
];

type Owned = { key: { 'x-api-key': string }; appIds: string[] };
type Sent = { name: string; anonymousId: string; userId?: string; ts?: string; id?: string };

const STEPS = ['app_opened', 'screen_viewed', 'purchase_completed'];
const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;

/** People of one day, of whom fewer take each step; `id` numbers their events. */
function dayOf(day: number, people: number, prefix: string): Sent[] {
  return Array.from({ length: people }, (_, person) =>
    STEPS.slice(0, 1 + (person % STEPS.length)).map((name, step) => ({
      name,
      anonymousId: `${prefix}-person-${person}`,
      id: `${prefix}-${day}-${person}-${step}`,
      ts: new Date(noon + day * DAY_MS + person * 60_000 + step * 1_000).toISOString(),
    })),
  ).flat();
}

async function send({ call }: TestService, { device }: TestApp, events: readonly Sent[]) {
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100) };
    const { status, text } = await call('/v1/events', { body, headers: device });
    expect([status, text]).toEqual([202, expect.any(String)]);
  }
}

/** Everything retired is removed, as ten minutes later. */
async function sweep({ deps }: EventService) {
  await deps.sql`UPDATE event_files SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
  await deps.sql`UPDATE event_key_runs SET retired_at = now() - interval '1 hour' WHERE state = 'retired'`;
  await sweepRetired(deps);
}

async function maintain({ deps, compaction }: EventService, appIds: readonly string[]) {
  const level0 = await liveFilesOfLevel(deps.sql, 0);
  if (level0.length > 0) await splitFiles(compaction, level0);
  for (const appId of appIds) {
    const files = await liveFilesOfApp(deps.sql, appId);
    if (files.length > 1) await mergeFiles(compaction, files);
  }
  for (const job of await planJobs(compaction)) await runJob(compaction, job);
}

const MOMENTS = new Set(['dataThrough', 'window', 'exportedAt', 'computedAt', 'expectedAt']);

/** Figures without what says when they were asked for. */
function figuresOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(figuresOf);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !MOMENTS.has(name));
  return Object.fromEntries(entries.map(([name, one]) => [name, figuresOf(one)]));
}

const dateOf = (day: number) => new Date(noon + day * DAY_MS).toISOString().slice(0, 10);
const QUESTIONS = [
  '/events/summary?days=30',
  '/events/series?days=14',
  '/events/series?names=app_opened,purchase_completed&days=14',
  '/events/retention?interval=day&days=14',
  '/people?search=early-person-1',
  '/people/early-person-3',
  '/people/early-person-5',
  '/people/user-7',
  '/person?personId=early-person-9',
];

async function figures({ call }: TestService, orgs: readonly Owned[], tails: readonly string[]) {
  const answers: Record<string, [number, unknown]> = {};
  for (const { key, appIds } of orgs) {
    for (const appId of appIds) {
      for (const tail of tails) {
        const { status, body } = await call(`/v1/apps/${appId}${tail}`, { headers: key });
        answers[`${appId} ${tail}`] = [status, figuresOf(body)];
      }
    }
  }
  return answers;
}

/** The command as an operator types it, on a database that no process of a service uses. */
async function operate(url: string, env: Record<string, string>, words: string[]) {
  const dataDir = temporaryFolder('operator');
  const run = async (more: string[]) => {
    const secrets = {
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    };
    const config = loadConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      ...poolerEnv,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...secrets,
      LOG_LEVEL: 'fatal',
      ...env,
    });
    const deps = await createDeps(config, 'admin');
    const said: string[] = [];
    const terminal = {
      out: (text: string) => said.push(text),
      err: (text: string) => said.push(text),
    };
    const connect = async () => ({ ctx: { deps, requestId: 'admin' }, close: () => deps.close() });
    const code = await runCli(COMMANDS, more, { terminal, connect });
    return { code, said: said.join('\n') };
  };
  return { dataDir, run, first: await run(words) };
}

async function copyPlace(
  { deps: { config } }: EventService,
  to: string,
  env: Record<string, string>,
) {
  const target = openObjectStoreAt(
    loadConfig({
      DATA_DIR: temporaryFolder('copier'),
      DATABASE_URL: config.databaseUrl,
      EVENTS_URL: to,
      ...env,
    }),
    to,
    temporaryFolder('copier-cache'),
  );
  const source = openObjectStore(config);
  for (const { key } of await source.list('')) {
    await target.putBytes(key, (await source.getBytes(key))!);
  }
  return to;
}

describe.each(PLACES)('a lost catalogue of events in $name', ({ newPlace, env }) => {
  test('comes back from the files: after the loss of the database, and beyond a backup', async () => {
    const service = await startEventService({ EVENTS_URL: newPlace(), ...env });
    await startTestQueries(service.deps);
    const [org, other] = [await createTestOrg(service), await createTestOrg(service)];
    const [first, second, third, deleted] = [
      await createTestApp(service, org.orgId),
      await createTestApp(service, org.orgId),
      await createTestApp(service, other.orgId),
      await createTestApp(service, org.orgId),
    ];
    const orgs = [
      { key: org.key, appIds: [first.appId, second.appId] },
      { key: other.key, appIds: [third.appId] },
    ];
    const appIds = orgs.flatMap((one) => one.appIds);

    for (const app of [first, second, third, deleted]) {
      await send(service, app, dayOf(0, 70, 'early'));
    }
    await compactEverything(service.deps);
    await maintain(service, appIds);
    await deleteAppEvents(service.deps.sql, { orgId: org.orgId, appId: deleted.appId });
    const erased = `/v1/apps/${first.appId}/person?personId=early-person-5`;
    expect((await service.call(erased, { method: 'DELETE', headers: org.key })).status).toBe(204);
    await send(service, first, [...dayOf(1, 20, 'early'), ...dayOf(1, 60, 'middle')]);
    await compactEverything(service.deps);
    await maintain(service, appIds);
    // In the log of the backup, in a file afterwards, and without an identity.
    await send(service, second, [{ name: 'unnumbered', anonymousId: 'early-person-2' }]);
    const steps = STEPS.map((event) => ({ event, label: event }));
    const { body: funnel } = await service.call(`/v1/apps/${first.appId}/funnels`, {
      body: { name: 'Main', steps, isDefault: true },
      headers: org.key,
    });
    const dir = temporaryFolder('backup');
    await backup(service.ctx, dir);

    await compactEverything(service.deps);
    await send(service, first, [
      ...dayOf(0, 10, 'early'),
      ...dayOf(2, 55, 'late'),
      {
        name: 'signed_up',
        anonymousId: 'middle-person-7',
        userId: 'user-7',
        id: 'sign-up-7',
        ts: `${dateOf(2)}T10:00:00Z`,
      },
      {
        name: 'too_late',
        anonymousId: 'early-person-9',
        id: 'too-late-9',
        ts: new Date(noon + HOUR_MS).toISOString(),
      },
    ]);
    await send(service, third, dayOf(2, 80, 'late'));
    await compactEverything(service.deps);
    await maintain(service, appIds);
    await rewriteFiles(
      service.compaction,
      await liveFilesOfLevel(service.deps.sql, 0),
      async (from) => [{ from, level: 0, day: null }],
    );
    await sweep(service);
    await send(service, first, dayOf(2, 12, 'last'));
    await compactEverything(service.deps);
    const before = await figures(service, orgs, QUESTIONS);
    expect(before[`${first.appId} ${QUESTIONS[0]}`]).toEqual([
      200,
      expect.objectContaining({ people: 196 }),
    ]);
    for (const [tail, [status, body]] of Object.entries(before)) {
      expect([tail, [200, 404].includes(status), body]).toEqual([tail, true, body]);
    }

    const agreeing = await rebuildEvents(service.ctx, { dryRun: true });
    expect([agreeing.added, agreeing.rows]).toEqual([0, 0]);

    const lost = await testDatabase();
    const afterLoss = await copyPlace(service, newPlace(), env);
    const bare = await operate(lost.url, { EVENTS_URL: afterLoss, ...env }, [
      'bootstrap',
      '--org',
      'New',
      '--email',
      'owner@example.com',
    ]);
    expect(bare.first.code).toBe(0);
    const rebuild = ['events', 'rebuild-catalogue'];
    expect((await bare.run(rebuild)).said).toContain('--in-place');
    const tried = await bare.run([...rebuild, '--in-place', '--dry-run']);
    expect([tried.code, tried.said]).toEqual([0, expect.stringContaining('Nothing was changed')]);
    const done = await bare.run([...rebuild, '--in-place', '--owner', 'owner@example.com']);
    expect([done.code, done.said]).toEqual([0, expect.stringContaining('named Recovered')]);
    expect((await bare.run(rebuild)).said).toContain('The catalogue is not empty.');
    const anew = await startTestService(lost, { env: { EVENTS_URL: afterLoss, ...env } });
    await startTestQueries(anew.deps);
    const owned: Owned[] = [];
    for (const { orgId, appIds: ofOrg } of [
      { orgId: org.orgId, appIds: orgs[0]!.appIds },
      { orgId: other.orgId, appIds: orgs[1]!.appIds },
    ]) {
      const [owner] = await lost.sql<
        { id: string }[]
      >`SELECT "userId" AS id FROM auth.member WHERE "organizationId" = ${orgId}`;
      const { secret } = await createKey(
        { deps: anew.deps },
        { orgId, userId: owner!.id, name: 'test', permissions: PERMISSIONS },
      );
      owned.push({ key: { 'x-api-key': secret }, appIds: ofOrg });
    }
    expect(await figures(anew, owned, QUESTIONS)).toEqual(before);

    // With a funnel, which only a backup has.
    const ofFirst = [{ key: org.key, appIds: [first.appId] }];
    const report = [
      `/funnels/${funnel.id}/report?days=14`,
      `/funnels/${funnel.id}/people?step=2&days=14`,
    ];
    const funnelBefore = await figures(service, ofFirst, report);
    const yesterday = await testDatabase();
    const place = await copyPlace(service, newPlace(), env);
    const back = await operate(yesterday.url, { EVENTS_URL: place, ...env }, [
      'restore',
      dir,
      '--in-place',
      '--without-gone',
    ]);
    expect([back.first.code, back.first.said]).toEqual([0, expect.stringContaining('Restored')]);
    const added = await back.run([...rebuild, '--add']);
    expect([added.code, added.said]).toEqual([
      0,
      expect.stringContaining('Added to the catalogue'),
    ]);
    expect((await back.run([...rebuild, '--add'])).said).toContain('0 files with 0 events');
    const restored = await startTestService(yesterday, {
      env: { EVENTS_URL: place, ...env, DATA_DIR: back.dataDir },
    });
    await startTestQueries(restored.deps);
    expect(await figures(restored, orgs, QUESTIONS)).toEqual(before);
    expect(await figures(restored, ofFirst, report)).toEqual(funnelBefore);
    await compactEverything(restored.deps);
    expect(await figures(restored, orgs, QUESTIONS)).toEqual(before);
  });
});

describe('the command', () => {
  test('refuses while a process of the service is connected', async () => {
    const service = await startEventService();
    const { sql, config } = service.deps;
    await sql`SELECT 1`;
    // As a process asks for its pool: behind a pooler another takes over its connection.
    const asking = setInterval(() => void sql`SELECT 1`.execute(), 500);
    const operator = await operate(config.databaseUrl!, {}, ['events', 'rebuild-catalogue']);
    clearInterval(asking);
    expect(operator.first).toEqual({
      code: 1,
      said: expect.stringContaining('The service runs (api)'),
    });
  });
});
