import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { upgradeCommand } from '../../../src/admin/commands/releases.ts';
import { checkUpgrade } from '../../../src/modules/backup/index.ts';
import { missingMigrations } from '../../../src/storage/migrate.ts';
import { findMigrationWork } from '../../../src/storage/migration-work.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';
import { ROOT } from '../../support/sources.ts';

const database = await testDatabase();
const { sql } = database;
const { deps } = await startTestService(database);
const ctx = { deps, requestId: 'test' };
const MIGRATIONS = join(ROOT, 'src/storage/migrations');

/** Triggers on every table of a list: none of them waits for longer than it takes to make one. */
const UNNAMED = 'experiments'; // 1022 drops a reference to it by the name of the constraint.
const BY_LIST = new Set(['1093_audit.sql', '1340_audited_tables.sql']);

/** The lock that each table is under that was there before, as the server has it. */
async function observe(names: readonly string[]) {
  const fresh = await testDatabase();
  await fresh.sql`DROP SCHEMA public CASCADE`;
  await fresh.sql`DROP SCHEMA IF EXISTS auth CASCADE`;
  await fresh.sql`CREATE SCHEMA public`;
  const all = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted();
  const found: { name: string; table: string; isExclusive: boolean }[] = [];
  for (const name of all) {
    const text = await Bun.file(join(MIGRATIONS, name)).text();
    const before = await fresh.sql`SELECT oid FROM pg_class WHERE relkind IN ('r', 'p')`;
    const known = new Set(before.map(({ oid }) => oid));
    const locks = await fresh.sql.begin(async (tx) => {
      await tx.unsafe(text);
      return tx<{ oid: number; table: string; mode: string }[]>`
        SELECT relation::int AS oid, relation::regclass::text AS table, mode FROM pg_locks
        JOIN pg_class ON pg_class.oid = relation AND relkind IN ('r', 'p')
        WHERE pid = pg_backend_pid() AND mode IN ('AccessExclusiveLock', 'ShareLock',
          'ShareRowExclusiveLock') AND relnamespace <> 'pg_catalog'::regnamespace`;
    });
    if (!names.includes(name)) continue;
    for (const { oid, table, mode } of locks) {
      if (known.has(oid)) found.push({ name, table, isExclusive: mode === 'AccessExclusiveLock' });
    }
  }
  return found;
}

test('the work of each migration is what the server locks when it runs', async () => {
  const names = (await readdir(MIGRATIONS))
    .filter((name) => name.endsWith('.sql') && !BY_LIST.has(name))
    .toSorted();
  const observed = await observe(names);
  const unnamed: string[] = [];
  for (const name of names) {
    const work = await findMigrationWork(sql, [name]);
    const planned = new Map(work.map(({ table, waits }) => [table.replaceAll('"', ''), waits]));
    for (const { table, isExclusive } of observed.filter((one) => one.name === name)) {
      const waits = planned.get(table.replaceAll('"', ''));
      if (name === '1022_flag_experiments.sql' && table === UNNAMED) continue;
      if (waits === undefined || (isExclusive && waits !== 'all')) {
        const [there] = await sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`;
        if (there) unnamed.push(`${name} ${table} ${isExclusive} ${waits}`);
      }
    }
  }
  expect(observed.length).toBeGreaterThan(50);
  expect(unnamed).toEqual([]);
});

test('the check says what is missing, for how long and the way back, and changes nothing', async () => {
  await sql`DELETE FROM schema_migrations WHERE name = '0340_delivery_turns.sql'`;
  await sql`ALTER TABLE webhook_deliveries DROP COLUMN attempt_due_at`;
  expect(await checkUpgrade(ctx)).toMatchObject({
    migrations: ['0340_delivery_turns.sql'],
    tables: [{ table: 'webhook_deliveries', waits: 'all' }],
    isReadableBefore: true,
  });
  const { text } = await upgradeCommand.prepare(['--check'])(ctx);
  expect(text).toContain('1 migrations are missing');
  expect(text).toContain('webhook_deliveries');
  expect(text).toContain('Way back: start the previous release again');
  expect(await missingMigrations(sql)).toEqual(['0340_delivery_turns.sql']);
  expect(() => upgradeCommand.prepare([])(ctx)).toThrow('is missing');
});
