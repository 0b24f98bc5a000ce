import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runtimeSettings } from '../../src/launcher/runtime-settings.ts';
import { at } from '../../src/shared/assert.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { fillLog } from '../../test/support/event-backlog.ts';
import { option } from '../support/options.ts';
import { print, printRatio } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const EVENTS = Number(option('events') ?? 200_000);
/** Each runs for half of the time: together they never want more than one of two cores. */
const SLICE_MS = 10;
const ROUNDS = Number(option('rounds') ?? 3);
const COMPACT_ALL = join(import.meta.dir, '../compaction/compact-all.ts');

/** Compacts the log of one host with half a core. */
async function compactAtHalf(env: Record<string, string>): Promise<void> {
  const child = Bun.spawn([process.execPath, COMPACT_ALL], {
    env: { ...runtimeSettings('compactor'), ...env },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  let stopped = false;
  const slices = setInterval(() => {
    stopped = !stopped;
    child.kill(stopped ? 'SIGSTOP' : 'SIGCONT');
  }, SLICE_MS);
  const code = await child.exited;
  clearInterval(slices);
  if (code !== 0) throw new Error(`A compactor ended with ${code}.`);
}

const median = (values: readonly number[]) =>
  at(
    values.toSorted((a, b) => a - b),
    Math.floor(values.length / 2),
  );
const rates = (values: readonly number[]) =>
  `${values.map((value) => value.toFixed(0)).join(', ')} events/s`;

/** Hosts with a log each over one catalogue and one place of files: does a second one help? */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const hosts = async (name: string, count: number) => {
      const dirs = Array.from({ length: count }, (_, n) => join(dataDir, `${name}-${n}`));
      for (const dir of dirs) {
        mkdirSync(join(dir, 'log'), { recursive: true });
        await fillLog(join(dir, 'log'), EVENTS);
      }
      const started = performance.now();
      const shared = { ...env, EVENTS_URL: String(pathToFileURL(join(dataDir, 'events'))) };
      await Promise.all(dirs.map((dir) => compactAtHalf({ ...shared, DATA_DIR: dir })));
      return (count * EVENTS * 1_000) / (performance.now() - started);
    };
    const one: number[] = [];
    const two: number[] = [];
    // In turns, so that whatever else the machine does meets both.
    for (let round = 0; round < ROUNDS; round += 1) {
      one.push(await hosts(`one-${round}`, 1));
      two.push(await hosts(`two-${round}`, 2));
    }
    const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 1, applicationName: 'bench' });
    const [live] = await sql`SELECT sum(rows)::int AS rows FROM event_files WHERE state = 'live'`;
    await sql.end();
    if (live?.rows !== 3 * ROUNDS * EVENTS) throw new Error(`${live?.rows} events are in files.`);
    print({ label: `one compactor with half a core, ${EVENTS} events`, value: rates(one) });
    print({ label: 'two compactors with half a core each', value: rates(two) });
    printRatio('two beside one, medians', median(two) / median(one), '≥ 1.7');
  });
}
