import { afterAll } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Glob } from 'bun';
import { migrate } from '../../src/storage/migrate.ts';
import { refuseNestedUse } from '../../src/storage/nested-use.ts';
import type { SqlOptions } from '../../src/storage/open-pool.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';

refuseNestedUse();

const MIGRATIONS = join(import.meta.dir, '../../src/storage/migrations');
/** Arbitrary; several test processes ask for the template at the same moment. */
const TEMPLATE_LOCK = 5_120_009;

export type TestDatabase = {
  url: string;
  /** The server's own, past a pooler. */
  directUrl: string;
  sql: Sql;
  /** Drops the database; done after the suite by itself. */
  close: () => Promise<void>;
};

/** With `bun run test --pooler`: the suite's own connections, not those that make databases. */
const poolerUrl = process.env.TEST_POOLER_URL;
const isPooled = poolerUrl !== undefined;
/** For a service that no launcher starts. */
export const poolerEnv: Record<string, string> = isPooled ? { DATABASE_POOLER: 'transaction' } : {};

/** To the suite's database or something before it. */
export const connectTo = (url: string, options: SqlOptions) =>
  createSql(url, { isPooled, ...options });

function serverUrl(database: string, url = process.env.TEST_DATABASE_URL): string {
  if (!url) throw new Error('No test server: run this file with "bun run test PATH".');
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.toString();
}

const connect = (database: string, maxConnections: number) =>
  createSql(serverUrl(database), { maxConnections, applicationName: 'test' });

/** Changes with every migration, so that a server kept between runs never serves an old schema. */
async function hashMigrations(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for (const name of [...new Glob('*.sql').scanSync(MIGRATIONS)].toSorted()) {
    hasher.update(name).update(await Bun.file(join(MIGRATIONS, name)).text());
  }
  return `template_${hasher.digest('hex').slice(0, 16)}`;
}

let hashed: Promise<string> | undefined;
const templateName = () => (hashed ??= hashMigrations());

async function makeTemplate(admin: Sql, name: string): Promise<void> {
  const building = `building_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`CREATE DATABASE ${building}`);
  const sql = connect(building, 1);
  await migrate(sql);
  await sql.end();
  await admin.unsafe(`ALTER DATABASE ${building} RENAME TO ${name}`);
}

async function createFromTemplate(database: string): Promise<void> {
  const admin = connect('postgres', 1);
  try {
    const template = await templateName();
    await admin`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`;
    const [found] = await admin`SELECT 1 FROM pg_database WHERE datname = ${template}`;
    if (!found) await makeTemplate(admin, template);
    // Copied as files: through the log it would be twice the work.
    await admin.unsafe(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`);
    await admin`SELECT pg_advisory_unlock(${TEMPLATE_LOCK})`;
  } finally {
    await admin.end();
  }
}

async function drop(database: string): Promise<void> {
  const admin = connect('postgres', 1);
  await admin.unsafe(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await admin.end();
}

type DatabaseOptions = {
  maxConnections?: number;
  /** For tests of the driver's own connections: past the pooler of `--pooler`. */
  isDirect?: boolean;
};

/** A migrated database of the suite's own. Call it at the top of a file or in `beforeAll`. */
export async function testDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const { maxConnections = 10, isDirect = false } = options;
  const database = `suite_${randomBytes(6).toString('hex')}`;
  await createFromTemplate(database);
  const directUrl = serverUrl(database);
  const url = isDirect ? directUrl : serverUrl(database, poolerUrl);
  const sql = connectTo(url, {
    maxConnections,
    applicationName: 'test',
    isPooled: isPooled && !isDirect,
  });
  // Copied from the template it would be the same installation as every other suite's.
  await sql`UPDATE installation SET id = gen_random_uuid()`;
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await sql.end({ timeout: 1 });
    await drop(database);
  };
  afterAll(close);
  return { url, directUrl, sql, close };
}
