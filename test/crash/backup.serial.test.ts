import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { readRunning } from '../../src/launcher/running.ts';
import { type Manifest, readManifest } from '../../src/modules/backup/manifest.ts';
import { restore } from '../../src/modules/backup/restore.ts';
import { verifyBackup } from '../../src/modules/backup/verify.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { type EventCrash, prepareEventCrash } from '../support/event-crash.ts';
import { temporaryFolder } from '../support/events.ts';
import { startInstance } from '../support/instance.ts';
import { BATCH_EVENTS, STEPS } from '../support/numbered-events.ts';
import { testDatabase } from '../support/postgres.ts';
import { compactEverything, startTestQueries } from '../support/queries.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { ROOT } from '../support/sources.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const KILLS = isFullRun ? 20 : 1;
/** 25 batches in each tenth of a second: 5,000 events a second where the machine can. */
const CLIENTS = isFullRun ? 25 : 4;
const EVERY_MS = isFullRun ? 80 : 200;
const LONGEST_LIFE_MS = isFullRun ? 3_000 : 300;
const LIMIT_MS = 15 * 60_000;
const SEED = Number(process.env.TEST_SEED ?? 20_261_121);
const random = randomFrom(SEED);

const database = await testDatabase();
const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '1000' } });
afterAll(() => instance.stop());
const crash = await prepareEventCrash(instance, {
  seed: SEED,
  clients: CLIENTS,
  everyMs: EVERY_MS,
});

const startBackup = (dir: string) =>
  Bun.spawn([process.execPath, join(ROOT, 'src/admin/main.ts'), 'backup', dir, '--json'], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: instance.dataDir, LOG_LEVEL: 'error' },
    stdout: 'pipe',
    stderr: 'pipe',
  });

/** Kills a backup at a moment of its life; false when it was done before. */
async function killOne(dir: string): Promise<boolean> {
  const child = startBackup(dir);
  await until('something of it is written', async () => existsSync(join(dir, 'log')));
  await pause(random() * LONGEST_LIFE_MS, 'a kill at any moment');
  child.kill('SIGKILL');
  await child.exited;
  return !existsSync(join(dir, 'manifest.json'));
}

async function expectNothingLeft(dirs: readonly string[]): Promise<void> {
  const ctx = { deps: { config: loadConfig({ DATA_DIR: instance.dataDir }) }, requestId: 'test' };
  for (const dir of dirs) await expect(verifyBackup(ctx, dir)).rejects.toThrow('was not finished');
  const running = await readRunning(instance.dataDir);
  const sql = createSql(running?.env.DATABASE_URL ?? '', {
    maxConnections: 1,
    applicationName: 'crash-test',
  });
  const lasting = await sql`
    SELECT lease_id FROM event_leases WHERE expires_at > now() + interval '60 seconds'`;
  await sql.end();
  expect(lasting).toHaveLength(0);
}

/** How often each number is in the files that the restored catalogue reads. */
async function storedNumbers({ sql, objects }: Deps): Promise<Map<number, number>> {
  const files = await sql<{ path: string }[]>`SELECT path FROM event_files WHERE state = 'live'`;
  const paths = await Promise.all(files.map(({ path }) => objects.localPath(path)));
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  const list = paths.map((path) => `'${path}'`).join(', ');
  const reader = await connection.runAndReadAll(`
    SELECT (props->>'n')::INTEGER, count(*)::INTEGER
    FROM read_parquet([${list}], union_by_name = true)
    WHERE name IN (${STEPS.map((step) => `'${step}'`).join(', ')}) GROUP BY 1`);
  const counted = reader
    .getRows()
    .map(([n, times]): [number, number] => [Number(n), Number(times)]);
  connection.closeSync();
  duck.closeSync();
  return new Map(counted);
}

function expectCut(
  stored: ReadonlyMap<number, number>,
  { sender }: EventCrash,
  manifest: Manifest,
) {
  const [beganAtMs, endedAtMs] = [
    Date.parse(manifest.cut!.beganAt),
    Date.parse(manifest.cut!.endedAt),
  ];
  const faults = { lost: 0, late: 0, twice: [...stored.values()].filter((n) => n > 1).length };
  for (const { first, sentAtMs, acknowledgedAtMs } of sender.batches) {
    for (let n = first; n < first + BATCH_EVENTS; n += 1) {
      if (acknowledgedAtMs !== null && acknowledgedAtMs < beganAtMs && !stored.has(n)) {
        faults.lost += 1;
      }
      if (sentAtMs > endedAtMs && stored.has(n)) faults.late += 1;
    }
  }
  expect(faults).toEqual({ lost: 0, late: 0, twice: 0 });
}

/** People who came to each step, of the numbers alone. */
function recount(stored: ReadonlyMap<number, number>): number[] {
  const block = BATCH_EVENTS * STEPS.length;
  const reached = STEPS.map(() => 0);
  for (const n of stored.keys()) {
    const [start, inBlock] = [Math.floor(n / block) * block, n % block];
    if (inBlock >= BATCH_EVENTS) continue;
    for (let step = 0; step < STEPS.length; step += 1) {
      if (!stored.has(start + step * BATCH_EVENTS + inBlock)) break;
      reached[step] = (reached[step] ?? 0) + 1;
    }
  }
  return reached;
}

test(
  `after ${KILLS} killed backups under load, the next one holds what was acknowledged before it, each event once`,
  async () => {
    const began = performance.now();
    const sending = crash.sender.run();
    const killed: string[] = [];
    while (killed.length < KILLS) {
      const dir = temporaryFolder('backup-killed');
      if (await killOne(dir)) killed.push(dir);
    }
    await expectNothingLeft(killed);
    const dir = temporaryFolder('backup-whole');
    const child = startBackup(dir);
    const [exitCode, said] = [await child.exited, await new Response(child.stderr).text()];
    expect(exitCode, said).toBe(0);
    const sent = crash.sender.acknowledgedEvents;
    const seconds = (performance.now() - began) / 1_000;
    crash.sender.stop();
    await sending;

    const service = await startTestService(database);
    await restore({ deps: service.deps, requestId: 'test' }, dir);
    await compactEverything(service.deps);
    const stored = await storedNumbers(service.deps);
    const manifest = await readManifest(dir);
    expectCut(stored, crash, manifest);

    await startTestQueries(service.deps);
    const headers = { 'x-api-key': crash.client.apiKey };
    const path = `/v1/apps/${crash.appId}/funnels`;
    const { body: funnels } = await service.call(path, { headers });
    const { id } = funnels.find(({ name }: { name: string }) => name === 'Crash');
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const window = `from=${day(Date.now() - 2 * 86_400_000)}&to=${day(Date.now())}`;
    const { body: report } = await service.call(`${path}/${id}/report?${window}`, { headers });
    expect(report.steps.map(({ people }: { people: number }) => people)).toEqual(recount(stored));
    console.log(
      `  ${killed.length} kills; ${sent} events in ${seconds.toFixed(0)} s (${Math.round(sent / seconds)}/s); ${stored.size} restored, ${crash.sender.batches.length * BATCH_EVENTS} sent in all; seed ${SEED}`,
    );
  },
  LIMIT_MS,
);
