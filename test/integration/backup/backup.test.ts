import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { backup } from '../../../src/modules/backup/backup.ts';
import { downgrade } from '../../../src/modules/backup/downgrade.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { listTables, qualified } from '../../../src/storage/dump/tables.ts';
import { migrateTo } from '../../../src/storage/migrate.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestService,
} from '../../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'backup-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(folder, 'backup-'));

async function newService() {
  const database = await testDatabase();
  const service = await startTestService(database);
  return { ...service, database, ctx: { deps: service.deps, requestId: 'test' } };
}

async function contentOf(sql: Sql): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of await listTables(sql)) {
    const rows = await sql.unsafe(`SELECT t::text AS row FROM ${qualified(table)} t ORDER BY 1`);
    content[qualified(table)] = rows.map(({ row }) => row);
  }
  delete content['"public"."event_leases"'];
  // An installation has an identity of its own.
  delete content['"public"."installation"'];
  return content;
}

function writeFileIn(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const eventsDir = ({ deps }: TestService) => new URL(deps.config.events.url).pathname;

async function addEventFile(service: TestService, path: string): Promise<void> {
  writeFileIn(join(eventsDir(service), path), `parquet of ${path}`);
  await service.deps.sql`
    INSERT INTO event_files (file_id, level, path, rows, bytes, min_occurred_at, max_occurred_at,
      min_received_at, max_received_at, people_seq, state)
    VALUES (${path}, 0, ${path}, 1, 1, now(), now(), now(), now(), 0, 'live')`;
}

test('an event file that differs from its checksums is left out and named, and a restore asks', async () => {
  const from = await newService();
  await addEventFile(from, 'events/2026/11/a.parquet');
  await from.deps.sql`
    INSERT INTO event_sums (path, bytes, sums)
    VALUES ('events/2026/11/a.parquet', 35, decode('0000000000000001', 'hex'))`;
  const dir = newFolder();
  const { leftOut, objects } = await backup(from.ctx, dir);
  expect({ leftOut, objects }).toEqual({ leftOut: ['events/2026/11/a.parquet'], objects: [] });
  const to = await newService();
  await expect(restore(to.ctx, dir)).rejects.toMatchObject({
    hint: expect.stringContaining('damaged when it was made'),
  });
  await restore(to.ctx, dir, { withoutMissingFiles: true });
  expect(await to.deps.sql`SELECT FROM event_files`).toHaveLength(0);
});

const AWKWARD = 'tab\t newline\n backslash\\ quote" \\N \\. ünïcödé 🦊';

describe('a backup', () => {
  test('brings everything back in a new installation', async () => {
    const from = await newService();
    const org = await createTestOrg(from);
    const app = await createTestApp(from, org.orgId);
    await from.deps.sql`UPDATE apps SET display_name = ${AWKWARD} WHERE app_id = ${app.appId}`;
    const log = { message: AWKWARD, fields: { env: 'prod' } };
    expect((await from.call('/v1/logs', { headers: org.key, body: log })).status).toBe(202);
    await from.call('/v1/logs', { headers: org.key });
    await addEventFile(from, 'events/2026/11/a.parquet');
    writeFileIn(join(from.deps.config.events.logDir, 'o-1.00000001.log'), 'segment');
    writeFileIn(join(from.deps.config.events.logDir, 'o-1.owner'), '{}');

    const dir = newFolder();
    const made = await backup(from.ctx, dir);
    expect(made).toMatchObject({ segments: ['o-1.00000001.log'] });
    const to = await newService();
    const restored = await restore(to.ctx, dir);

    expect(restored).toMatchObject({ segments: 1, objects: 1, migrated: [] });
    expect(await contentOf(to.deps.sql)).toEqual(await contentOf(from.deps.sql));
    const path = `/v1/apps/${app.appId}`;
    const answer = await to.call(path, { headers: org.key });
    expect(answer.body.displayName).toBe(AWKWARD);
    const entries = await to.call('/v1/logs', { headers: org.key });
    expect(entries.body.entries[0].message).toBe(AWKWARD);
    expect(readFileSync(join(eventsDir(to), 'events/2026/11/a.parquet'), 'utf8')).toBe(
      'parquet of events/2026/11/a.parquet',
    );
    expect(readdirSync(to.deps.config.events.logDir)).toEqual(['o-1.00000001.log']);
  });

  test('is restored again where its segments could not be copied', async () => {
    const [from, to] = [await newService(), await newService()];
    await createTestOrg(from);
    writeFileIn(join(from.deps.config.events.logDir, 'o-1.00000001.log'), 'segment');
    const dir = newFolder();
    await backup(from.ctx, dir);
    const { logDir } = to.deps.config.events;
    rmSync(logDir, { recursive: true, force: true });
    writeFileIn(logDir, 'no folder');
    await expect(restore(to.ctx, dir)).rejects.toThrow();
    rmSync(logDir);
    expect(await restore(to.ctx, dir)).toMatchObject({ segments: 1 });
    expect(readdirSync(logDir)).toEqual(['o-1.00000001.log']);
  });

  test('of before an upgrade has its segments back once its database is', async () => {
    const service = await newService();
    // Named as the command is.
    await service.deps.sql.end();
    const named = { maxConnections: 4, applicationName: 'control-plane-admin' };
    const sql = connectTo(service.database.url, named);
    const deps = { ...service.deps, sql };
    const ctx = { deps, requestId: 'test' };
    const { logDir } = deps.config.events;
    writeFileIn(join(logDir, 'o-1.00000001.log'), 'segment');
    const [before, keep] = [newFolder(), newFolder()];
    await backup(ctx, before);
    await deps.sql`UPDATE installation SET min_release = 9999`;
    rmSync(join(logDir, 'o-1.00000001.log'));
    writeFileIn(join(logDir, 'since-1.00000001.log'), 'since');
    const at = new Date();
    const aside = `${logDir}-until-${at.getTime()}`;
    const later = { ...ctx, deps: { ...deps, clock: () => at } };
    // As a kill after the commit: what comes next fails.
    writeFileSync(aside, 'no folder');
    const failed = await downgrade(later, { dir: before, keep }).catch((thrown) => thrown);
    expect(failed).toMatchObject({ code: 'EEXIST' });
    expect(readdirSync(logDir)).toContain('o-1.00000001.log');
    expect(await downgrade(later, { dir: before, keep })).toMatchObject({ isRestored: false });

    await deps.sql`UPDATE installation SET min_release = 9999`;
    rmSync(aside);
    const went = await downgrade(later, { dir: before, keep: newFolder() });
    expect(went).toMatchObject({ isRestored: true });
    expect(readdirSync(logDir)).toEqual(['o-1.00000001.log']);
    expect(readdirSync(aside)).toEqual(['since-1.00000001.log']);
    await sql.end();
  });

  test('brings back sales and the notes that their triggers wrote, each once', async () => {
    const [from, to] = [await newService(), await newService()];
    const { orgId } = await createTestOrg(from);
    await from.deps.sql`
      INSERT INTO store_facts (org_id, vendor_number, day, report_type, line, store_id, sku, title,
        product_type, country, device, units, bundle_credit, trials, proceeds, proceeds_currency,
        customer_spend, customer_currency)
      VALUES (${orgId}, '8', '2026-10-01', 'SALES', 1, '1', 'pro', 'Title', 'IAY', 'DE', 'iPhone', 1,
        false, 0, 1, 'USD', 1, 'USD')`;
    expect(await from.deps.sql`SELECT 1 FROM lake_changes`).not.toHaveLength(0);
    const dir = newFolder();
    await backup(from.ctx, dir);
    await restore(to.ctx, dir);
    expect(await contentOf(to.deps.sql)).toEqual(await contentOf(from.deps.sql));
    await to.deps.sql`DELETE FROM store_facts`;
    expect(await to.deps.sql`SELECT 1 FROM lake_changes`).toHaveLength(2);
  });

  test('with a table that this release does not make is refused whole', async () => {
    const [from, to] = [await newService(), await newService()];
    await createTestOrg(from);
    await from.deps.sql`
      CREATE TABLE counted (id bigint GENERATED ALWAYS AS IDENTITY,
        twice int GENERATED ALWAYS AS (2) STORED, note text)`;
    await from.deps.sql`INSERT INTO counted (note) VALUES ('a'), ('b')`;
    const dir = newFolder();
    await backup(from.ctx, dir);
    await expect(restore(to.ctx, dir)).rejects.toThrow('counted');
    expect(await to.deps.sql`SELECT 1 FROM auth."user"`).toHaveLength(0);
  });

  test('goes on counting where it was', async () => {
    const [from, to] = [await newService(), await newService()];
    const next = async (sql: Sql) =>
      (await sql<{ value: number }[]>`SELECT nextval('store_fact_revisions') AS value`)[0]?.value;
    await next(from.deps.sql);
    expect(await next(from.deps.sql)).toBe(2);
    const dir = newFolder();
    await backup(from.ctx, dir);
    await restore(to.ctx, dir);
    expect(await next(to.deps.sql)).toBe(3);
  });

  test('is of one moment, whatever is written meanwhile', async () => {
    const from = await newService();
    const org = await createTestOrg(from);
    let writing = true;
    const writer = (async () => {
      while (writing) await createTestApp(from, org.orgId);
    })();
    const dir = newFolder();
    await backup(from.ctx, dir);
    writing = false;
    await writer;
    const to = await newService();
    await restore(to.ctx, dir);
    const [row] = await to.deps.sql`
      SELECT (SELECT count(*) FROM apps) AS apps, (SELECT count(*) FROM app_datasets) AS datasets,
        (SELECT count(*) FROM publishable_keys k LEFT JOIN apps USING (app_id)
          WHERE apps.app_id IS NULL) AS orphans`;
    expect(row?.orphans).toBe(0);
    expect(Math.abs(row?.apps - row?.datasets)).toBeLessThanOrEqual(1);
  });

  test('of an earlier release is migrated to this one', async () => {
    const old = await newService();
    const { sql } = old.deps;
    // What today's code needs to make an organization, and nothing of most chapters.
    const early = [
      '0001_auth.sql',
      '0002_apps.sql',
      '0010_events.sql',
      '0024_proved_addresses.sql',
      '0025_organization_key_use.sql',
    ];
    await sql.begin(async (tx) => {
      await tx.unsafe('DROP SCHEMA auth CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await migrateTo(tx, early);
    });
    // Today's code writes it, the earlier release does not have it.
    await sql`
      ALTER TABLE auth."user" ADD COLUMN "twoFactorEnabled" boolean, ADD COLUMN company_email text`;
    const org = await createTestOrg(old);
    await sql`ALTER TABLE auth."user" DROP COLUMN "twoFactorEnabled", DROP COLUMN company_email`;
    const dir = newFolder();
    await backup(old.ctx, dir);
    const to = await newService();
    const { migrated } = await restore(to.ctx, dir);
    expect(migrated).toContain('0060_logs.sql');
    expect(migrated).not.toContain('0002_apps.sql');
    expect((await to.call('/v1/apps', { headers: org.key })).status).toBe(200);
  });
});

describe('what a backup and a restore refuse', () => {
  test('a folder that holds something', async () => {
    const { ctx } = await newService();
    const dir = newFolder();
    writeFileIn(join(dir, 'note'), 'mine');
    await expect(backup(ctx, dir)).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(dir)).toEqual(['note']);
  });

  test('a catalogue whose files are gone; what was begun is no backup', async () => {
    const from = await newService();
    await addEventFile(from, 'events/2026/11/b.parquet');
    rmSync(join(eventsDir(from), 'events/2026/11/b.parquet'));
    const dir = newFolder();
    await expect(backup(from.ctx, dir)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(restore(from.ctx, dir)).rejects.toMatchObject({ code: 'not_found' });
    expect(await from.deps.sql`SELECT 1 FROM event_leases`).toHaveLength(0);
  });

  test('an installation that is in use', async () => {
    const from = await newService();
    await createTestOrg(from);
    const dir = newFolder();
    await backup(from.ctx, dir);
    const before = await contentOf(from.deps.sql);
    await expect(restore(from.ctx, dir)).rejects.toMatchObject({ code: 'conflict' });
    expect(await contentOf(from.deps.sql)).toEqual(before);
  });

  test('a dump that lost rows: nothing of it stays', async () => {
    const from = await newService();
    await createTestOrg(from);
    const dir = newFolder();
    await backup(from.ctx, dir);
    const path = join(dir, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    manifest.database.tables.find(({ name }: { name: string }) => name === 'user').rows += 1;
    writeFileSync(path, JSON.stringify(manifest));
    const to = await newService();
    await expect(restore(to.ctx, dir)).rejects.toThrow('rows instead of');
    expect(await to.deps.sql`SELECT 1 FROM auth."user"`).toHaveLength(0);
  });

  test('a database with schemas of somebody else, and a backup of a later release', async () => {
    const from = await newService();
    const dir = newFolder();
    await backup(from.ctx, dir);
    await from.deps.sql`CREATE SCHEMA theirs`;
    await expect(restore(from.ctx, dir)).rejects.toThrow('theirs');
    await from.deps.sql`DROP SCHEMA theirs`;
    const path = join(dir, 'manifest.json');
    const later = readFileSync(path, 'utf8').replace('0002_apps.sql', '9999_later.sql');
    writeFileSync(path, later);
    await expect(restore(from.ctx, dir)).rejects.toThrow('9999_later.sql');
  });
});
