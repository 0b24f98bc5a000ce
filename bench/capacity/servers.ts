import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../src/launcher/embedded/postgres.ts';
import { must } from '../../src/shared/assert.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { findVersitygw, startVersitygw } from '../../test/support/versitygw.ts';

const MAX_CONNECTIONS = 500;

export type Counted = { url: string; pid: number; stop: () => Promise<void> };

/** As a company runs it: it waits for the disk, and counts statements. */
export async function startDurablePostgres(dataDir: string): Promise<Counted> {
  const prepared = await preparePostgres({
    dataDir: join(dataDir, 'records'),
    port: await freePort(),
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  });
  const first = await prepared.start();
  const sql = createSql(prepared.url, { maxConnections: 1, applicationName: 'bench' });
  await sql`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`;
  await sql`ALTER SYSTEM SET shared_buffers = '512MB'`;
  await sql.end();
  await first.stop(5_000);
  const server = await prepared.start();
  const migrating = createSql(prepared.url, { maxConnections: 1, applicationName: 'bench' });
  await migrating`CREATE EXTENSION pg_stat_statements`;
  await migrate(migrating);
  await migrating.end();
  return { url: prepared.url, pid: server.pid, stop: () => server.stop(5_000) };
}

const BUCKET = 'events-bucket';
const KEYS = { accessKeyId: 'bench-access', secretAccessKey: 'bench-secret' };

export type Bucket = {
  pid: number;
  env: Record<string, string>;
  accessLog: string;
  stop: () => void;
};

/** A real S3 server on this machine's disk, with a line for each call. */
export async function startBucket(dataDir: string): Promise<Bucket> {
  const folder = join(dataDir, 'bucket');
  mkdirSync(join(folder, BUCKET), { recursive: true });
  const accessLog = join(dataDir, 'bucket.log');
  const path = must(await findVersitygw(), 'versitygw, for which Go has to be installed');
  const server = await startVersitygw(path, { folder, ...KEYS, accessLog });
  return {
    pid: server.pid,
    accessLog,
    env: {
      EVENTS_URL: `s3://${BUCKET}/events`,
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    stop: server.stop,
  };
}
