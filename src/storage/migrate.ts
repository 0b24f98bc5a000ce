import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from './locks.ts';
import type { Db, Sql, Tx } from './postgres.ts';
import { hasTable, requireReadable } from './release.ts';

const MIGRATIONS_DIR = join(import.meta.dir, 'migrations');
const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

async function migrationNames(): Promise<string[]> {
  const names = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql'));
  const wrong = names.find((name) => !MIGRATION_NAME.test(name));
  if (wrong) throw new Error(`Migration "${wrong}" is not named NNNN_name.sql.`);
  return names.toSorted();
}

/** Numbers are sequential from here; earlier ones were assigned by area. */
const RUNNING_FROM = '1000';

/** Throws when a migration would run after a later one, unlike in a new database. */
export function checkOrder(missing: readonly string[], applied: ReadonlySet<string>): void {
  const newest = [...applied].toSorted().at(-1) ?? '';
  const late = missing.find((name) => name >= RUNNING_FROM && name < newest);
  if (late === undefined) return;
  throw new Error(`Migration "${late}" comes after "${newest}": give it the next number.`);
}

export const readMigration = (name: string): Promise<string> =>
  Bun.file(join(MIGRATIONS_DIR, name)).text();

async function withoutApplied(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db<{ name: string }[]>`SELECT name FROM schema_migrations`;
  const applied = new Set(rows.map((row) => row.name));
  const missing = names.filter((name) => !applied.has(name));
  checkOrder(missing, applied);
  return missing;
}

async function applyMissing(tx: Tx, names: readonly string[]): Promise<string[]> {
  await lock(tx, 'migrations');
  await requireReadable(tx);
  await tx`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`;
  const missing = await withoutApplied(tx, names);
  for (const name of missing) {
    await tx.unsafe(await readMigration(name));
    await tx`INSERT INTO schema_migrations (name) VALUES (${name})`;
  }
  return missing;
}

/** One transaction under a lock. Forward only. Throws `conflict` on data of a newer release. */
export async function migrate(sql: Sql): Promise<string[]> {
  return sql.begin(migrateWithin);
}

export async function missingMigrations(sql: Sql): Promise<string[]> {
  const names = await migrationNames();
  if (!(await hasTable(sql, 'schema_migrations'))) return names;
  return withoutApplied(sql, names);
}

const GENERATION = /SET min_release = greatest\(min_release, (\d+)\)/g;

/** 1 by default. */
export async function requiredGeneration(names: readonly string[]): Promise<number> {
  let generation = 1;
  for (const name of names) {
    for (const [, needed] of (await readMigration(name)).matchAll(GENERATION)) {
      generation = Math.max(generation, Number(needed));
    }
  }
  return generation;
}

export async function migrateWithin(tx: Tx): Promise<string[]> {
  return applyMissing(tx, await migrationNames());
}

/** Exactly these migrations. Throws when this release lacks one. */
export async function migrateTo(tx: Tx, names: readonly string[]): Promise<void> {
  const known = new Set(await migrationNames());
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(`This release does not know the migrations ${unknown.join(', ')}.`);
  }
  await applyMissing(tx, names);
}
