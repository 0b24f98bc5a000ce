import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { migrateTo, migrateWithin } from '../migrate.ts';
import { mayRest, type Sql, type Tx } from '../postgres.ts';
import type { DatabaseDump } from './dump.ts';
import * as catalogue from './tables.ts';

/** The only schemas this service writes to. */
const OWN_SCHEMAS = new Set(['auth', 'public']);

async function dropEverything(tx: Tx): Promise<void> {
  const schemas = await catalogue.listSchemas(tx);
  const foreign = schemas.filter((name) => !OWN_SCHEMAS.has(name));
  if (foreign.length > 0) {
    throw new Error(`The database holds schemas of other software: ${foreign.join(', ')}.`);
  }
  for (const name of schemas) await tx.unsafe(`DROP SCHEMA ${name} CASCADE`);
  await tx`CREATE SCHEMA public`;
}

async function makePartition(tx: Tx, partition: catalogue.PartitionInfo): Promise<void> {
  const name = catalogue.qualified(partition);
  const parent = catalogue.qualified({ schema: partition.parentSchema, name: partition.parent });
  const [found] = await tx`SELECT to_regclass(${name}) AS name`;
  if (found?.name) return;
  await tx.unsafe(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL)`);
  await tx.unsafe(`ALTER TABLE ${parent} ATTACH PARTITION ${name} ${partition.bound}`);
}

/** `USER`: foreign keys still hold. */
async function setTriggers(tx: Tx, { tables }: DatabaseDump, state: 'DISABLE' | 'ENABLE') {
  for (const table of tables) {
    await tx.unsafe(`ALTER TABLE ${catalogue.qualified(table)} ${state} TRIGGER USER`);
  }
}

async function loadTable(
  tx: Tx,
  dir: string,
  table: DatabaseDump['tables'][number],
  signal?: AbortSignal,
): Promise<void> {
  const counter = new catalogue.RowCounter();
  const target = await tx.unsafe(`COPY ${catalogue.copyTarget(table)} FROM STDIN`).writable();
  const file = createReadStream(join(dir, table.file));
  await pipeline(file, createGunzip(), counter, target, signal ? { signal } : {});
  if (counter.rows !== table.rows) {
    throw new Error(`${table.file} holds ${counter.rows} rows instead of ${table.rows}.`);
  }
}

type LoadOptions = catalogue.TableOptions & { asItWas?: boolean };

/**
 * One transaction. Returns newer migrations (none with `asItWas`). A throw in `finish` rolls back.
 */
export async function loadDatabase(
  sql: Sql,
  dir: string,
  dump: DatabaseDump,
  finish: (tx: Tx) => Promise<void> = async () => undefined,
  { signal, onTable, asItWas = false }: LoadOptions = {},
): Promise<string[]> {
  return sql.begin(async (tx) => {
    await mayRest(tx);
    await dropEverything(tx);
    await migrateTo(tx, dump.migrations);
    for (const partition of dump.partitions) await makePartition(tx, partition);
    // Rows inserted by migrations are in the dump too.
    for (const table of dump.tables.toReversed()) {
      await tx.unsafe(`DELETE FROM ${catalogue.qualified(table)}`);
    }
    // Rows written by triggers are in the dump too.
    await setTriggers(tx, dump, 'DISABLE');
    for (const [index, table] of dump.tables.entries()) {
      onTable?.(table, index + 1, dump.tables.length);
      await loadTable(tx, dir, table, signal);
    }
    await setTriggers(tx, dump, 'ENABLE');
    for (const { schema, name, lastValue } of dump.sequences) {
      await tx`SELECT setval(${catalogue.qualified({ schema, name })}::regclass, ${lastValue}::bigint)`;
    }
    const applied = asItWas ? [] : await migrateWithin(tx);
    await finish(tx);
    return applied;
  });
}
