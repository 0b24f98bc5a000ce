import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { liveRuns } from '../../src/event-store/catalogue/queries.ts';
import { runsOfHour } from '../../src/event-store/dedup/key-index.ts';
import { hourNumber } from '../../src/event-store/dedup/sections.ts';
import { runtimeSettings } from '../../src/launcher/runtime-settings.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';
import { fillLog } from '../../test/support/event-backlog.ts';
import { option } from '../support/options.ts';
import { print } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { fillIndex } from './index-of-days.ts';

/** 5 million with `--long`: the backlog of a few minutes without a compactor. `--events=N` for others. */
const EVENTS = Number(option('events') ?? (process.argv.includes('--long') ? 5_000_000 : 500_000));

/** `--days=8` of identities on the disk before it begins; `--rate=500` of them a second. */
const INDEX = { days: Number(option('days') ?? 0), eventsPerSecond: Number(option('rate') ?? 500) };

/** Places that a key of any hour of the index is asked in, at most. */
async function placesOfAKey(sql: Sql): Promise<number> {
  const runs = await liveRuns(sql);
  const now = hourNumber(Date.now());
  const hours = Array.from({ length: Math.max(1, INDEX.days) * 24 }, (_, ago) => now - ago);
  return Math.max(...hours.map((hour) => runsOfHour(runs, hour).length));
}

/** A backlog turned into files by the compactor process: how fast, and with how much memory. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const logDir = join(dataDir, 'log');
    mkdirSync(logDir, { recursive: true });
    const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 1, applicationName: 'bench' });
    const keys = await fillIndex(sql, join(dataDir, 'events'), INDEX);
    await fillLog(logDir, EVENTS);
    const started = performance.now();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'compact-all.ts')], {
      env: { ...runtimeSettings('compactor'), ...env },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const report = JSON.parse(await new Response(child.stdout).text());
    const seconds = (performance.now() - started) / 1_000;
    await child.exited;
    const processorUs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / EVENTS;
    const places = await placesOfAKey(sql);
    const [live] = await sql`
      SELECT count(*)::int AS files, sum(rows)::int AS rows, sum(bytes)::bigint AS bytes
      FROM event_files WHERE state = 'live'`;
    await sql.end();
    if (live?.rows !== EVENTS) throw new Error(`${live?.rows} of ${EVENTS} events are in files.`);
    print({
      label: `${EVENTS} events compacted`,
      value: `${(EVENTS / seconds).toFixed(0)} events/s, ${processorUs.toFixed(1)} µs of processor time an event`,
    });
    print({
      label: 'identities before it, and places that one is asked in',
      value: `${keys}, ${places}   (goal ≤ 2)`,
    });
    print({ label: 'peak resident memory', value: `${report.peakMb} MB   (goal ≤ 1024 MB)` });
    print({
      label: 'files left',
      value: `${live.files}, ${(live.bytes / EVENTS).toFixed(1)} bytes an event`,
    });
  });
}
