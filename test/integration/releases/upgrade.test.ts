import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkUpgrade,
  downgrade,
  upgrade,
  verifyBackup,
} from '../../../src/modules/backup/index.ts';
import { readManifest } from '../../../src/modules/backup/manifest.ts';
import { dumpDatabase } from '../../../src/storage/dump/dump.ts';
import { missingMigrations } from '../../../src/storage/migrate.ts';
import { findMinRelease, RELEASE } from '../../../src/storage/release.ts';
import { openFixture } from '../../release-fixture/open.ts';
import { RELEASES } from '../../release-fixture/releases.ts';
import { temporaryFolder } from '../../support/events.ts';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

/** Every row of every table, by what their files hold, and the migrations. */
async function contentOf({ sql }: TestDatabase) {
  const dir = join(temporaryFolder('content'), 'dump');
  const { dump } = await dumpDatabase(sql, dir, async () => null);
  const tables = await Promise.all(
    dump.tables.map(async ({ schema, name, rows, file }) => {
      const packed = await Bun.file(join(dir, file)).bytes();
      const lines = Buffer.from(Bun.gunzipSync(packed)).toString('utf8').split('\n').toSorted();
      return { table: `${schema}.${name}`, rows, lines: Bun.hash(lines.join('\n')) };
    }),
  );
  // Of the backup itself, for as long as it takes.
  const lasting = tables.filter(({ table }) => table !== 'public.event_leases');
  return { migrations: dump.migrations, tables: lasting };
}

/** What a release left, unchanged: the state in which an upgrade meets it. */
async function opened(release: string) {
  const dir = temporaryFolder('upgraded');
  const database = await testDatabase();
  const fixture = await openFixture(release, 'plain', { dir, database, asItWas: true });
  const service = await startTestService(database, {
    env: { ...fixture.facts.env, DATA_DIR: fixture.dataDir },
  });
  // Named as the command is: what runs beside it would be a process of the service.
  await service.deps.sql.end();
  const sql = connectTo(database.url, {
    maxConnections: 4,
    applicationName: 'control-plane-admin',
  });
  const ctx = { deps: { ...service.deps, sql }, requestId: 'test' };
  return { ctx, database, dataDir: fixture.dataDir, close: () => sql.end() };
}

const CASES = await Promise.all(
  RELEASES.map(async (release) => {
    const there = await opened(release);
    return { release, generation: await findMinRelease(there.database.sql), ...there };
  }),
);
const OF_THIS_GENERATION = CASES.filter(({ generation }) => generation === RELEASE);
const OF_EARLIER_ONES = CASES.filter(({ generation }) => generation < RELEASE);

describe.each(OF_EARLIER_ONES)('from release $release', ({ ctx, database, dataDir, close }) => {
  const before = join(temporaryFolder('before'), 'backup');
  const since = join(temporaryFolder('since'), 'backup');
  const log = join(dataDir, 'log');

  test('an upgrade backs up, migrates and looks, and there is a way back', async () => {
    const asLeft = await contentOf(database);
    const plan = await checkUpgrade(ctx);
    const segments = (await readdir(log)).filter((name) => name.endsWith('.log')).toSorted();

    const running = connectTo(database.url, {
      maxConnections: 1,
      applicationName: 'control-plane-compactor',
    });
    await running`SELECT 1`;
    await expect(upgrade(ctx, before)).rejects.toThrow('The service runs (compactor).');
    await running.end();
    expect(await contentOf(database)).toEqual(asLeft);

    const upgraded = await upgrade(ctx, before);
    expect(upgraded).toMatchObject({ dir: before, isReadableBefore: false });
    expect(plan).toMatchObject({ migrations: upgraded.applied, isReadableBefore: false });
    // Runs of keys beside them have no format.
    const eventFiles = plan.formats.reduce((sum, { files }) => sum + files, 0);
    expect(eventFiles).toBeGreaterThan(0);
    expect(upgraded.files).toBeGreaterThanOrEqual(eventFiles);
    expect(upgraded.applied.length).toBeGreaterThan(0);
    expect(await missingMigrations(ctx.deps.sql)).toEqual([]);
    const [row] = await database.sql`SELECT min_release FROM installation`;
    expect(row?.min_release).toBe(RELEASE);
    expect((await verifyBackup(ctx, before)).files).toBeGreaterThan(0);
    expect(await upgrade(ctx, join(before, 'again'))).toMatchObject({ applied: [], dir: null });

    // What comes after the upgrade is kept when one goes back.
    await database.sql`UPDATE apps SET display_name = 'Since'`;
    await Bun.write(join(log, 'since-1.00000001.log'), 'since');
    // A service that runs is found before anything is read or written.
    const started = connectTo(database.url, {
      maxConnections: 1,
      applicationName: 'control-plane-compactor',
    });
    await started`SELECT 1`;
    const unread: string[] = [];
    const report = (line: string) => unread.push(line);
    await expect(downgrade(ctx, { dir: before, keep: since }, { report })).rejects.toThrow(
      'The service runs (compactor).',
    );
    expect(unread).toEqual([]);
    await started.end();

    const went = await downgrade(ctx, { dir: before, keep: since });
    expect(went).toMatchObject({ isRestored: true, kept: since });
    const back = await contentOf(database);
    expect(back.migrations).toEqual(asLeft.migrations);
    expect(back).toEqual(asLeft);
    expect((await readdir(log)).toSorted()).toEqual(segments);
    expect((await readManifest(since)).segments).toContain('since-1.00000001.log');

    // And forth again.
    const again = join(temporaryFolder('again'), 'backup');
    expect((await upgrade(ctx, again)).applied).toEqual(upgraded.applied);
    await close();
  }, 1_200_000);
});

test.each(OF_THIS_GENERATION)(
  'release $release works on upgraded data, so an upgrade stops nobody and the way back changes nothing',
  async ({ ctx, database, close }) => {
    const running = connectTo(database.url, {
      maxConnections: 1,
      applicationName: 'control-plane-compactor',
    });
    await running`SELECT 1`;
    const dir = join(temporaryFolder('before'), 'backup');
    const upgraded = await upgrade(ctx, dir);
    await running.end();
    expect(upgraded).toMatchObject({ dir, isReadableBefore: true });
    expect(upgraded.files).toBeGreaterThan(0);
    expect(upgraded.applied.length).toBeGreaterThan(0);
    expect(await missingMigrations(ctx.deps.sql)).toEqual([]);
    const since = await contentOf(database);
    const went = await downgrade(ctx, { dir, keep: join(temporaryFolder('none'), 'backup') });
    expect(went).toMatchObject({ isRestored: false, kept: null });
    expect(await contentOf(database)).toEqual(since);
    await close();
  },
  1_200_000,
);

test('where the release of before works on the data, the way back changes nothing', async () => {
  const database = await testDatabase();
  const { deps } = await startTestService(database);
  const ctx = { deps, requestId: 'test' };
  await database.sql`DELETE FROM schema_migrations WHERE name = '0340_delivery_turns.sql'`;
  await database.sql`
    ALTER TABLE webhook_deliveries DROP COLUMN attempt_due_at`;
  const dir = join(temporaryFolder('additive'), 'backup');
  const upgraded = await upgrade(ctx, dir);
  expect(upgraded).toMatchObject({ applied: ['0340_delivery_turns.sql'], isReadableBefore: true });
  const before = await contentOf(database);
  const went = await downgrade(ctx, { dir, keep: join(temporaryFolder('none'), 'backup') });
  expect(went).toMatchObject({ isRestored: false, kept: null });
  expect(await contentOf(database)).toEqual(before);
});
