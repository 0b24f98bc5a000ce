import { afterAll, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { preparePostgres } from '../../../src/launcher/embedded/postgres.ts';
import { settlePredecessor } from '../../../src/launcher/embedded/postgres-predecessor.ts';
import type { Server } from '../../../src/launcher/embedded/server.ts';

// mkdtemp makes folders that only their owner may search, as /root is: as root, PostgreSQL's own
// account has to reach its data through one.
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'pg-')), 'data');

const running: Server[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop(2_000))));

async function open(dataDir: string, port?: number) {
  const prepared = await preparePostgres({
    dataDir,
    port: port ?? (await freePort()),
    durable: true,
    maxConnections: 20,
  });
  const server = await prepared.start();
  running.push(server);
  return { ...prepared, server };
}

async function query<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

describe('the embedded PostgreSQL', () => {
  test('takes its password over loopback, and nothing else', async () => {
    const { url, server } = await open(newFolder());
    const [row] = await query(url, (sql) => sql`SELECT current_database() AS name`);
    expect(row?.name).toBe('control_plane');
    for (const password of ['', 'wrong']) {
      const wrong = new URL(url);
      wrong.password = password;
      await expect(query(wrong.toString(), (sql) => sql`SELECT 1`)).rejects.toThrow('password');
    }
    const [settings] = await query(
      url,
      (sql) => sql`SELECT current_setting('listen_addresses') AS addresses,
        current_setting('unix_socket_directories') AS sockets, current_setting('fsync') AS fsync,
        current_setting('data_checksums') AS checksums`,
    );
    expect(settings).toEqual({ addresses: '127.0.0.1', sockets: '', fsync: 'on', checksums: 'on' });
    await server.stop(5_000);
  });

  test('keeps its data and its password from one start to the next, on another port too', async () => {
    const dataDir = newFolder();
    const first = await open(dataDir);
    await query(first.url, (sql) => sql`CREATE TABLE kept AS SELECT 42 AS answer`);
    await first.server.stop(5_000);
    const second = await open(dataDir);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    const [row] = await query(second.url, (sql) => sql`SELECT answer FROM kept`);
    expect(row?.answer).toBe(42);
    await second.server.stop(5_000);
  });

  test('starts again after a SIGKILL with what was committed', async () => {
    const dataDir = newFolder();
    const { url, server, start } = await open(dataDir);
    await query(url, (sql) => sql`CREATE TABLE kept AS SELECT 1 AS id`);
    server.kill('SIGKILL');
    await server.exited;
    const again = await start();
    running.push(again);
    expect(await query(url, (sql) => sql`SELECT id FROM kept`)).toHaveLength(1);
    await again.stop(5_000);
  });

  test('waits for the helpers of a server that was killed', async () => {
    const dataDir = newFolder();
    const { server, start, url } = await open(dataDir);
    const busy = query(url, (sql) => sql`SELECT pg_sleep(0.5)`).catch(() => undefined);
    for (let kill = 0; kill < 3; kill += 1) {
      const latest = running.at(-1);
      latest?.kill('SIGKILL');
      await latest?.exited;
      running.push(await start());
    }
    await busy;
    expect(await query(url, (sql) => sql`SELECT 1`)).toHaveLength(1);
    expect(server.pid).not.toBe(running.at(-1)?.pid);
    await running.at(-1)?.stop(5_000);
  });

  test('ends a server that an earlier start has left on the same folder', async () => {
    const dataDir = newFolder();
    const left = await open(dataDir);
    const { server, url } = await open(dataDir);
    await left.server.exited;
    expect(await query(url, (sql) => sql`SELECT 1`)).toHaveLength(1);
    await server.stop(5_000);
  });

  test('is not kept from starting by a pid that now belongs to another program', async () => {
    const dataDir = newFolder();
    const { server, start } = await open(dataDir);
    await server.stop(5_000);
    const stale = [process.pid, '/elsewhere', 1, 5432, '', 'localhost', 0, 'ready'].join('\n');
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${stale}\n`);
    const again = await start();
    running.push(again);
    await again.stop(5_000);
  });

  test('is not kept from starting by a pid that another program gets meanwhile', async () => {
    const dataDir = newFolder();
    const { server } = await open(dataDir);
    await server.stop(5_000);
    const ended = Bun.spawn(['true']);
    await ended.exited;
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    writeFileSync(pidFile, `${ended.pid}\n`);
    await settlePredecessor(join(dataDir, 'postgres'));
    expect(existsSync(pidFile)).toBe(false);
  });

  test('a cluster that was half made is not used, and cleared away', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres.new-12345678', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new-12345678', 'PG_VERSION'), '18\n');
    const { server } = await open(dataDir);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
    await server.stop(5_000);
  });

  test('a cluster that the initdb of a killed start still writes is cleared away', async () => {
    const dataDir = newFolder();
    const left = join(dataDir, 'postgres.new-87654321');
    mkdirSync(left, { recursive: true });
    const writing = 'while :; do mkdir -p a/b/c; touch a/b/c/1 a/b/2 a/3; rm -rf a; done';
    const initdb = Array.from({ length: 4 }, () =>
      Bun.spawn(['sh', '-c', writing], { cwd: left, stdout: 'ignore', stderr: 'ignore' }),
    );
    const { server } = await open(dataDir);
    await Promise.all(initdb.map((child) => child.exited));
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
    await server.stop(5_000);
  });

  test('refuses the folder of another major version, and leaves it as it is', async () => {
    const dataDir = newFolder();
    const cluster = join(dataDir, 'postgres');
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, 'PG_VERSION'), '16\n');
    await expect(open(dataDir)).rejects.toThrow('was written by PostgreSQL 16');
    await expect(open(dataDir)).rejects.toThrow('bun run admin backup');
    expect(readdirSync(cluster)).toEqual(['PG_VERSION']);
    expect(readFileSync(join(cluster, 'PG_VERSION'), 'utf8')).toBe('16\n');
  });

  test('says what the server said when it does not start', async () => {
    const dataDir = newFolder();
    const { server, start } = await open(dataDir);
    await server.stop(5_000);
    writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(start()).rejects.toThrow('no_such_setting');
  });
});
