import { Database } from 'bun:sqlite';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { dumpDatabase } from '../../src/storage/dump/dump.ts';
import { openObjectStore } from '../../src/storage/object-store/open.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { makeOld } from '../support/old-event-files.ts';
import { DUMP, PARTS } from './facts.ts';

export type Packing = { dir: string; dataDir: string; databaseUrl: string; archive: string };

/** Every other live file becomes one of the first format. */
async function ageFiles({ dataDir, databaseUrl }: Packing): Promise<void> {
  const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'fixture' });
  const config = loadConfig({ DATA_DIR: dataDir });
  const files = await sql<{ path: string }[]>`
    SELECT path FROM event_files WHERE state = 'live' ORDER BY level, file_id`;
  const old = files.filter((_, index) => index % 2 === 0).map(({ path }) => path);
  await makeOld({ sql, objects: openObjectStore(config) }, old);
  await sql.end();
}

async function run(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed.`);
}

/** Writes database, event files, log and Temporal's database into one archive. */
export async function pack(packing: Packing): Promise<void> {
  const { dir, dataDir, databaseUrl, archive } = packing;
  await ageFiles(packing);
  const out = join(dir, 'out');
  await mkdir(out);
  const sql = createSql(databaseUrl, { maxConnections: 2, applicationName: 'fixture' });
  const { dump } = await dumpDatabase(sql, join(out, PARTS.database), async () => null);
  await sql.end();
  await Bun.write(join(out, DUMP), JSON.stringify(dump));
  for (const part of ['events', 'log']) {
    await cp(join(dataDir, part), join(out, PARTS.data, part), { recursive: true });
  }
  const temporal = join(dir, 'servers/temporal/temporal.db');
  const sqlite = new Database(temporal);
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.run('PRAGMA journal_mode = DELETE');
  sqlite.run('VACUUM');
  sqlite.close();
  await cp(temporal, join(out, PARTS.temporal));
  await run(['tar', '-czf', archive, '.'], out);
}
