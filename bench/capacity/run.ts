import { createEventDeps } from '../../src/app/event-deps.ts';
import { loadConfig } from '../../src/config.ts';
import { planJobs, runJob } from '../../src/event-store/maintenance/jobs.ts';
import { openCompactor } from '../../src/event-store/parquet/compactor.ts';
import { must } from '../../src/shared/assert.ts';
import { openObjectStore } from '../../src/storage/object-store/open.ts';
import { createSql, type Sql } from '../../src/storage/postgres.ts';
import { benchBatch, EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { option } from '../support/options.ts';
import { print } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { capacityOf, type Parts } from './arithmetic.ts';
import { type Driven, driveBucket, driveCatalogue, statementsOfHost } from './fleet.ts';
import { keepsUp, startHost, type Used } from './host.ts';
import { questionSeconds } from './questions.ts';
import { type Bucket, type Counted, startBucket, startDurablePostgres } from './servers.ts';

const SECONDS = Number(option('seconds') ?? 20);
/** Events a second, until files no longer keep up. */
const LADDER = [2_000, 8_000, 16_000, 32_000, 48_000, 64_000, 96_000];
/** Of each host of a fleet. */
const FLEET_RATE = 2_000;
const FLEETS = [1, 10, 50, 100, 200, 400, 800];
const BENT = { share: 0.95, p99Ms: 1_000 };
const CORES = [2, 4, 16];

const perEvent = (ms: number, { eventsPerSecond }: Used) => (ms * 1_000) / eventsPerSecond;

function show(used: Used): void {
  const rate = used.eventsPerSecond;
  print({
    label: `${rate.toFixed(0)} events/s`,
    value: `p99 ${used.p99Ms} ms, files ${(used.behindMs / 1_000).toFixed(1)} s behind`,
  });
  const parts = Object.entries(used.partMs).map(([part, ms]) => {
    const each = rate > 0 ? ` (${perEvent(ms, used).toFixed(1)} µs an event)` : '';
    return `${part} ${ms.toFixed(0)} ms${each}`;
  });
  print({ label: '  of processor a second', value: parts.join(', ') });
  const calls = used.calls.map(([name, count]) => `${count.toFixed(2)} ${name}`);
  print({
    label: '  calls a second',
    value: `${used.statements.toFixed(1)} statements; ${calls.join(', ')}`,
  });
}

function showFleet(of: string, { hosts, share, perSecond, medianMs, p99Ms, cores }: Driven): void {
  print({
    label: `${hosts} hosts: ${of}`,
    value: `median ${medianMs.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; ${perSecond.toFixed(0)} jobs/s, ${(share * 100).toFixed(1)} % in time; ${cores.toFixed(2)} cores`,
  });
}

async function untilBent(of: string, drive: (hosts: number) => Promise<Driven>): Promise<void> {
  for (const hosts of FLEETS) {
    const driven = await drive(hosts);
    showFleet(of, driven);
    if (driven.share < BENT.share || driven.p99Ms > BENT.p99Ms) break;
  }
}

type Servers = { postgres: Counted; bucket: Bucket; sql: Sql; env: Record<string, string> };

async function measureHost(servers: Servers): Promise<{ idle: Used; turns: Used[] }> {
  const host = await startHost(servers.env, servers);
  const idle = await host.measure({ eventsPerSecond: 0, seconds: SECONDS });
  show(idle);
  // The first seconds of a process are slower.
  await host.measure({ eventsPerSecond: FLEET_RATE, seconds: 5 });
  const turns: Used[] = [];
  for (const eventsPerSecond of LADDER) {
    const used = await host.measure({ eventsPerSecond, seconds: SECONDS });
    show(used);
    const isReached = used.eventsPerSecond > eventsPerSecond * 0.97;
    if (!isReached || !keepsUp(used)) break;
    turns.push(used);
  }
  await host.stop();
  return { idle, turns };
}

async function rowsOf(sql: Sql, fileIds: readonly string[]): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_files WHERE file_id = ANY(${[...fileIds]})`;
  return row?.rows ?? 0;
}

/** What is due for the events of the turns before, for each row that it rewrites. */
async function mergesUs({ env, sql }: Servers): Promise<number> {
  const deps = createEventDeps(loadConfig(env), 'worker');
  const compactor = await openCompactor(deps, { name: 'bench', memoryMb: 1_024, threads: 2 });
  let [rows, usedUs] = [0, 0];
  for (let jobs = await planJobs(compactor); jobs.length > 0; jobs = await planJobs(compactor)) {
    for (const job of jobs) {
      rows += await rowsOf(sql, job.fileIds);
      const before = process.cpuUsage();
      await runJob(compactor, job);
      const { user, system } = process.cpuUsage(before);
      usedUs += user + system;
    }
  }
  print({ label: 'rows rewritten by merges', value: String(rows) });
  if (rows === 0) throw new Error('Nothing was due: take more --seconds.');
  return usedUs / rows;
}

async function driveFleets({ postgres, bucket, sql, env }: Servers, at: Used): Promise<void> {
  const pool = createSql(postgres.url, { maxConnections: 200, applicationName: 'bench' });
  const each = await statementsOfHost(pool, sql, SECONDS);
  print({ label: 'statements a second of a driven host', value: each.toFixed(1) });
  await untilBent('a commit', (hosts) =>
    driveCatalogue(pool, { hosts, seconds: SECONDS, serverPid: postgres.pid }),
  );
  await pool.end();
  const segmentsPerSecond = must(
    at.calls.find(([name]) => name === 'PutObject segments'),
    'segments are copied',
  )[1];
  const batches = at.eventsPerSecond / EVENTS_PER_BATCH;
  const segmentBytes = Math.round((benchBatch(0, 0).length * batches) / segmentsPerSecond);
  print({
    label: 'a host’s segments',
    value: `${segmentsPerSecond.toFixed(1)} a second of ${(segmentBytes / 1_024).toFixed(0)} KB`,
  });
  const objects = openObjectStore(loadConfig(env));
  await untilBent('a segment put and removed', (hosts) =>
    driveBucket(
      objects,
      { segmentsPerSecond, segmentBytes },
      { hosts, seconds: SECONDS, serverPid: bucket.pid },
    ),
  );
}

function showCapacity(parts: Parts): void {
  const { apiUs, compactorUs, mergesUs: merges, idleMs, questionSeconds: each } = parts;
  print({
    label: 'the parts',
    value: `API ${apiUs.toFixed(1)}, compactor ${compactorUs.toFixed(1)}, merges ${merges.toFixed(1)} µs an event; ${idleMs.toFixed(0)} ms a second idle; ${each.toFixed(2)} s a funnel`,
  });
  for (const cores of CORES) {
    const { eventsPerSecond, fullOf, questionsPerSecond } = capacityOf(cores, parts);
    print({
      label: `a host of ${cores} cores, computed`,
      value: `${eventsPerSecond.toFixed(0)} events/s (full: ${fullOf}), or ${questionsPerSecond.toFixed(1)} funnels/s`,
    });
  }
}

/**
 * What one host takes and asks of its database and bucket, from which larger ones are computed; and
 * a real PostgreSQL and a real S3 server driven at the rate of ever more hosts, until each bends.
 */
export default async function run(): Promise<void> {
  await withServers(['temporal'], async ({ env, dataDir }) => {
    const postgres = await startDurablePostgres(dataDir);
    const bucket = await startBucket(dataDir);
    const sql = createSql(postgres.url, { maxConnections: 1, applicationName: 'bench' });
    const all = { ...env, DATABASE_URL: postgres.url, ...bucket.env, EVENTS_ACK: 'bucket' };
    const servers = { postgres, bucket, sql, env: all };
    const { idle, turns } = await measureHost(servers);
    const [first, fullest] = [must(turns[0], 'a turn'), must(turns.at(-1), 'a turn')];
    const parts = {
      apiUs: perEvent(fullest.partMs.api, fullest),
      compactorUs: perEvent(fullest.partMs.compactor, fullest),
      mergesUs: await mergesUs(servers),
      idleMs: idle.partMs.api + idle.partMs.compactor + idle.partMs.query + idle.partMs.worker,
      questionSeconds: await questionSeconds(postgres.url, dataDir),
    };
    showCapacity(parts);
    await driveFleets(servers, first);
    await sql.end();
    bucket.stop();
    await postgres.stop();
  });
}
