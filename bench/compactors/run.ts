import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runtimeSettings } from '../../src/launcher/runtime-settings.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { fillLog } from '../../test/support/event-backlog.ts';
import { holdToHalfACore } from '../support/half-a-core.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const EVENTS = Number(option('events') ?? 200_000);
const ROUNDS = Number(option('rounds') ?? 3);
const COMPACT_ALL = join(import.meta.dir, '../compaction/compact-all.ts');

type Compacted = { ms: number; processorMs: number };

/** Compacts the log of one host with half a core. */
async function compactAtHalf(env: Record<string, string>): Promise<Compacted> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, COMPACT_ALL], {
    env: { ...runtimeSettings('compactor'), ...env },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const release = holdToHalfACore(child);
  const code = await child.exited;
  release();
  if (code !== 0) throw new Error(`A compactor ended with ${code}.`);
  const ms = performance.now() - startedAt;
  return { ms, processorMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000 };
}

type Measured = { perSecond: number; microseconds: number };

const rate = (rounds: readonly Measured[]) => median(rounds.map(({ perSecond }) => perSecond));
const shown = (rounds: readonly Measured[]) =>
  `${rounds.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')} events/s; processor time ${rounds
    .map(({ microseconds }) => microseconds.toFixed(1))
    .join(', ')} µs an event`;

/** Hosts with a log each over one catalogue and one place of files: does a second one help? */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const hosts = async (name: string, count: number): Promise<Measured> => {
      const dirs = Array.from({ length: count }, (_, n) => join(dataDir, `${name}-${n}`));
      for (const dir of dirs) {
        mkdirSync(join(dir, 'log'), { recursive: true });
        await fillLog(join(dir, 'log'), EVENTS);
      }
      const shared = { ...env, EVENTS_URL: String(pathToFileURL(join(dataDir, 'events'))) };
      const done = await Promise.all(
        dirs.map((dir) => compactAtHalf({ ...shared, DATA_DIR: dir })),
      );
      const events = count * EVENTS;
      const processorMs = done.reduce((sum, one) => sum + one.processorMs, 0);
      return {
        perSecond: (events * 1_000) / Math.max(...done.map(({ ms }) => ms)),
        microseconds: (processorMs * 1_000) / events,
      };
    };
    const one: Measured[] = [];
    const two: Measured[] = [];
    // In turns, so that whatever else the machine does meets both.
    for (let round = 0; round < ROUNDS; round += 1) {
      one.push(await hosts(`one-${round}`, 1));
      two.push(await hosts(`two-${round}`, 2));
    }
    const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 1, applicationName: 'bench' });
    const [live] = await sql`SELECT sum(rows)::int AS rows FROM event_files WHERE state = 'live'`;
    await sql.end();
    if (live?.rows !== 3 * ROUNDS * EVENTS) throw new Error(`${live?.rows} events are in files.`);
    print({ label: `one compactor with half a core, ${EVENTS} events`, value: shown(one) });
    print({ label: 'two compactors with half a core each', value: shown(two) });
    printRatio('two beside one, medians', rate(two) / rate(one), '≥ 1.7');
  });
}
