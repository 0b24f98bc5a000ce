import { readFileSync } from 'node:fs';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { SECOND_MS } from '../../src/shared/time.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { EVENTS_PER_BATCH } from '../ingest/batch.ts';
import { sendTaken } from '../support/ingest.ts';
import { treeMs } from '../support/processor-time.ts';
import { type BenchProcess, startRole } from '../support/servers.ts';
import type { Bucket, Counted } from './servers.ts';

const ROLES = ['worker', 'api', 'compactor', 'query'] as const;
export type Part = (typeof ROLES)[number] | 'postgres' | 'bucket';

const CONNECTIONS = 64;
const BODIES = 500;
const SETTLE_MS = 10 * SECOND_MS;
/** What is left of the log when files keep up with what comes. */
const KEPT_UP_MS = 8 * SECOND_MS;

export type Turn = { eventsPerSecond: number; seconds: number };

export type Used = {
  eventsPerSecond: number;
  p99Ms: number;
  /** Of processor, for each second. */
  partMs: Record<Part, number>;
  statements: number;
  /** Calls a second, by the operation and the first folder of the key. */
  calls: [string, number][];
  /** From the last answer until every event was in a file. */
  behindMs: number;
};

export type Host = {
  measure: (turn: Turn) => Promise<Used>;
  stop: () => Promise<void>;
};

/** As "s3_PutObject events/segments/…" in a line of the access log. */
function callsIn(lines: readonly string[], seconds: number): [string, number][] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const operation = /s3_(\w+)/.exec(line)?.[1];
    if (operation === undefined) continue;
    const folder = /(?:\/|%2F)(segments|events|projections)(?:\/|%2F)/.exec(line)?.[1] ?? 'other';
    const name = `${operation} ${folder}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]): [string, number] => [name, count / seconds]);
}

async function eventsInFiles(sql: Sql): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    SELECT coalesce(sum(rows), 0)::int AS rows FROM event_files WHERE state = 'live'`;
  return row?.rows ?? 0;
}

async function statementsSoFar(sql: Sql): Promise<number> {
  const [row] = await sql<{ calls: number }[]>`
    SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements`;
  return row?.calls ?? 0;
}

/** Every process of a host, with a database and a bucket of its own. */
export async function startHost(
  env: Record<string, string>,
  { postgres, bucket, sql }: { postgres: Counted; bucket: Bucket; sql: Sql },
): Promise<Host> {
  const deps = await createDeps(loadConfig(env), 'api');
  const { orgId } = await createTestOrg({ deps });
  const { serviceKey } = await createTestApp({ deps }, orgId);
  await deps.close();
  const processes = new Map<(typeof ROLES)[number], BenchProcess>();
  // Merges are measured afterwards: a worker would have done some of them by then.
  const own = { ...env, WORKER_QUEUES: 'main' };
  for (const role of ROLES) processes.set(role, await startRole(role, own));
  const address = processes.get('api')?.address ?? '';
  const pids: [Part, number][] = [
    ...[...processes].map(([role, { pid }]): [Part, number] => [role, pid]),
    ['postgres', postgres.pid],
    ['bucket', bucket.pid],
  ];
  await Bun.sleep(SETTLE_MS);

  const logLines = (from: number) => readFileSync(bucket.accessLog, 'utf8').slice(from);
  const usedSoFar = () => pids.map(([part, pid]): [Part, number] => [part, treeMs(pid)]);

  const measure = async ({ eventsPerSecond, seconds }: Turn): Promise<Used> => {
    const batches = eventsPerSecond / EVENTS_PER_BATCH;
    const stamp = Date.now().toString(36);
    const renew = (body: string, turn: number) =>
      body.replaceAll('"id":"', `"id":"${stamp}${turn.toString(36)}.`);
    const load = { address, serviceKey, connections: CONNECTIONS, bodies: BODIES, renew };
    const before = new Map(usedSoFar());
    const [statements, events, logged] = [
      await statementsSoFar(sql),
      await eventsInFiles(sql),
      logLines(0).length,
    ];
    const sent =
      batches > 0
        ? await sendTaken({ ...load, seconds, rate: batches })
        : await Bun.sleep(seconds * SECOND_MS).then(() => ({ rate: 0, p99Ms: 0 }));
    const endedMs = performance.now();
    const partMs = Object.fromEntries(
      usedSoFar().map(([part, ms]) => [part, (ms - (before.get(part) ?? 0)) / seconds]),
    ) as Used['partMs'];
    const statementsNow = await statementsSoFar(sql);
    const lines = logLines(logged).split('\n');
    const total = Math.round(sent.rate * seconds) * EVENTS_PER_BATCH;
    while ((await eventsInFiles(sql)) - events < total) await Bun.sleep(100);
    return {
      eventsPerSecond: sent.rate * EVENTS_PER_BATCH,
      p99Ms: sent.p99Ms,
      partMs,
      statements: (statementsNow - statements) / seconds,
      calls: callsIn(lines, seconds),
      behindMs: performance.now() - endedMs,
    };
  };
  return {
    measure,
    stop: async () => {
      for (const one of processes.values()) await one.stop();
    },
  };
}

export const keepsUp = ({ behindMs }: Used): boolean => behindMs <= KEPT_UP_MS;
