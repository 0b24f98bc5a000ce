import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { freePort } from '../../../src/launcher/embedded/ports.ts';
import { startOnCache } from '../../../src/launcher/embedded/temporal-cache.ts';
import { findTemporalCli } from '../../../src/launcher/embedded/temporal-cli.ts';
import type { Logger } from '../../../src/observability/log.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const cliPath = await findTemporalCli(loadConfig(process.env).temporal, console.log);
const root = mkdtempSync(join(tmpdir(), 'cache-'));
afterAll(() => rmSync(root, { recursive: true }));
const random = randomFrom(20_261_129);

/** Starts, ends by SIGKILL, and gives what was logged. */
async function startOnce(folder: string, onSpawn?: (pid: number) => void): Promise<string[]> {
  const lines: string[] = [];
  const log = { warn: (_: unknown, text: string) => lines.push(text) } as unknown as Logger;
  const ports = { grpc: await freePort(), http: await freePort(), metrics: await freePort() };
  const server = await startOnCache(
    {
      cliPath,
      dataDir: folder,
      databaseFile: join(folder, 'temporal.db'),
      ports,
      ui: null,
      namespaces: ['default'],
      onSpawn,
    },
    { log, stopping: new AbortController().signal },
  );
  server.kill('SIGKILL');
  await server.exited;
  return lines;
}

const used = join(root, 'used');
await startOnce(used);
await startOnce(used);
writeFileSync(join(used, 'ports.json'), '{"grpc":7233}');

const database = (folder: string) => join(folder, 'temporal.db');
const dropLogs = (folder: string) => {
  for (const end of ['-wal', '-shm']) rmSync(`${database(folder)}${end}`, { force: true });
};

const DAMAGES: Record<string, (folder: string) => void> = {
  'empty, its log gone': (folder) => {
    writeFileSync(database(folder), '');
    dropLogs(folder);
  },
  '40 bytes flipped': (folder) => {
    dropLogs(folder);
    const bytes = readFileSync(database(folder));
    // Heads of pages: content has no checksum in SQLite.
    for (let n = 0; n < 40; n += 1) {
      const at = Math.floor((random() * bytes.length) / 4_096) * 4_096;
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    }
    writeFileSync(database(folder), bytes);
  },
  'its first bytes overwritten': (folder) => {
    const bytes = readFileSync(database(folder));
    writeFileSync(database(folder), bytes.fill(7, 0, 16));
  },
  'cut in half': (folder) => {
    const { length } = readFileSync(database(folder));
    truncateSync(database(folder), Math.floor(length / 2));
  },
  'a folder': (folder) => {
    rmSync(database(folder));
    mkdirSync(database(folder));
  },
  'its folder a file': (folder) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
  },
  'its settings a folder': (folder) => {
    rmSync(join(folder, 'flags.yaml'));
    mkdirSync(join(folder, 'flags.yaml'));
  },
  text: (folder) => writeFileSync(database(folder), 'x'.repeat(100_000)),
};

const SHORT = new Set(['empty, its log gone', 'cut in half', 'its folder a file']);
const tried = Object.entries(DAMAGES).filter(([name]) => isFullRun || SHORT.has(name));

test.each(tried)(
  'a start on a database that is %s moves it aside and says so',
  async (name, damage) => {
    const folder = join(root, name.replaceAll(/\W/g, '-'));
    cpSync(used, folder, { recursive: true });
    damage(folder);
    expect(await startOnce(folder)).toEqual([
      "Temporal's database was unusable and moved aside; runs restart",
    ]);
    expect(existsSync(`${folder}.damaged`)).toBe(true);
    if (name !== 'its folder a file') {
      expect(readFileSync(join(folder, 'ports.json'), 'utf8')).toContain('7233');
    }
    expect(await startOnce(folder)).toEqual([]);
  },
);

test('one that starts for no reason of its database stays as it is', async () => {
  const folder = join(root, 'broken-program');
  cpSync(used, folder, { recursive: true });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  startOnCache(
    {
      cliPath: '/bin/false',
      dataDir: folder,
      databaseFile: database(folder),
      ports: { grpc: await freePort(), http: await freePort(), metrics: await freePort() },
      ui: null,
      namespaces: ['default'],
    },
    { log: {} as Logger, stopping: new AbortController().signal },
  ).then(resolve, resolve);
  expect(await promise).toBeInstanceOf(Error);
  expect(existsSync(`${folder}.damaged`)).toBe(false);
  expect(existsSync(database(folder))).toBe(true);
  expect(await startOnce(folder)).toEqual([]);
});

const schemaOf = (path: string) => {
  using file = new Database(path, { readwrite: true });
  return file
    .query<{ sql: string }, []>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
    .all()
    .map(({ sql }) => sql.trim());
};

test("a database of another program's gets what a new one has, and keeps its rows", async () => {
  const folder = join(root, 'older');
  cpSync(used, folder, { recursive: true });
  const path = database(folder);
  const fresh = schemaOf(path);
  {
    using file = new Database(path, { readwrite: true });
    file.run('DROP TABLE current_chasm_executions');
    for (const event of ['ai', 'ad', 'au']) file.run(`DROP TRIGGER executions_visibility_${event}`);
    file.run('DROP TABLE executions_visibility_fts_keyword_list');
    file.run('DROP INDEX by_temporal_int_01');
    file.run('ALTER TABLE executions_visibility DROP COLUMN TemporalInt01');
    file.run(`
      INSERT INTO executions_visibility
        (namespace_id, run_id, start_time, execution_time, workflow_id, workflow_type_name,
         status, encoding, search_attributes)
      VALUES ('n', 'r', '2026-11-30', '2026-11-30', 'kept', 't', 1, 'Json', '{"BuildIds":"one"}')`);
    writeFileSync(join(folder, 'program'), 'another');
  }
  expect(await startOnce(folder)).toEqual([]);
  expect(schemaOf(path)).toEqual(fresh);
  using file = new Database(path, { readwrite: true });
  const found = file.query(`
    SELECT workflow_id FROM executions_visibility WHERE rowid IN (
      SELECT rowid FROM executions_visibility_fts_keyword_list WHERE BuildIds MATCH 'one')`);
  expect(found.all()).toEqual([{ workflow_id: 'kept' }]);
});

test.skipIf(process.platform !== 'linux')(
  'the server that makes a schema listens elsewhere, and one whose version cannot be kept runs',
  async () => {
    const folder = join(root, 'elsewhere');
    cpSync(used, folder, { recursive: true });
    rmSync(join(folder, 'program'));
    mkdirSync(join(folder, 'program'));
    const ports: (string | undefined)[] = [];
    const onSpawn = (pid: number) => {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      ports.push(words[words.indexOf('--port') + 1]);
    };
    expect(await startOnce(folder, onSpawn)).toEqual([]);
    expect(ports).toHaveLength(2);
    expect(new Set(ports).size).toBe(2);
    expect(readFileSync(join(used, 'program'), 'utf8')).toContain('(Server ');
  },
);
