import { randomBytes } from 'node:crypto';
import { SECOND_MS } from '../../src/shared/time.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import type { Sql } from '../../src/storage/postgres.ts';
import { treeMs } from '../support/processor-time.ts';
import { percentile } from '../support/report.ts';
import { beatOnce, commitOnce, lookAround, probeOnce } from './fleet-host.ts';

export type Driven = {
  hosts: number;
  /** Done, of those that were due. */
  share: number;
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Of the server, in cores. */
  cores: number;
};

type Job = { everyMs: number; run: (host: string) => Promise<void>; isTimed?: boolean };

/**
 * Every host begins each job at its own even pace, whether or not the last one is done, as hosts
 * that know nothing of each other do. Times run from the moment at which a job was due.
 */
async function drive(
  jobs: readonly Job[],
  { hosts, seconds, serverPid }: { hosts: number; seconds: number; serverPid: number },
): Promise<Driven> {
  const times: number[] = [];
  const [beganMs, usedMs] = [performance.now(), treeMs(serverPid)];
  const endsMs = beganMs + seconds * SECOND_MS;
  let [due, done] = [0, 0];
  const running = new Set<Promise<void>>();
  const loop = async (host: string, { everyMs, run, isTimed }: Job) => {
    for (let dueMs = beganMs + Math.random() * everyMs; dueMs < endsMs; dueMs += everyMs) {
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      due += 1;
      const at = dueMs;
      const one = run(host).then(() => {
        if (performance.now() > endsMs) return;
        done += 1;
        if (isTimed) times.push(performance.now() - at);
      });
      running.add(one);
      void one.finally(() => running.delete(one));
    }
  };
  const names = Array.from({ length: hosts }, () => crypto.randomUUID());
  await Promise.all(names.flatMap((host) => jobs.map((job) => loop(host, job))));
  const cores = (treeMs(serverPid) - usedMs) / (performance.now() - beganMs);
  await Promise.all(running);
  return {
    ...{ hosts, share: done / due, perSecond: done / seconds, cores },
    ...{ medianMs: percentile(times, 50), p99Ms: percentile(times, 99) },
  };
}

const SEGMENTS_A_COMMIT = 12;
const COMMIT_EVERY_MS = 2 * SECOND_MS;

/** Of one, to be compared with those of a real host. */
export async function statementsOfHost(pool: Sql, sql: Sql, seconds: number): Promise<number> {
  await sql`SELECT pg_stat_statements_reset()`;
  await driveCatalogue(pool, { hosts: 1, seconds, serverPid: process.pid });
  const [row] = await sql<{ calls: number }[]>`
    SELECT sum(calls)::int AS calls FROM pg_stat_statements`;
  return (row?.calls ?? 0) / seconds;
}

export function driveCatalogue(sql: Sql, at: Parameters<typeof drive>[1]): Promise<Driven> {
  const segments = (host: string) =>
    Array.from({ length: SEGMENTS_A_COMMIT }, () => `${host}.${crypto.randomUUID()}`);
  return drive(
    [
      {
        everyMs: COMMIT_EVERY_MS,
        run: (host) => commitOnce(sql, segments(host)),
        isTimed: true,
      },
      { everyMs: SECOND_MS, run: async (host) => void (await beatOnce(sql, host)) },
      { everyMs: SECOND_MS, run: () => probeOnce(sql) },
      { everyMs: 10 * SECOND_MS, run: (host) => lookAround(sql, host) },
    ],
    at,
  );
}

export type BucketRates = { segmentsPerSecond: number; segmentBytes: number };

/** Of 4,000 events, and of their identities. */
const FILE_BYTES = 65_536;

export function driveBucket(
  objects: ObjectStore,
  rates: BucketRates,
  at: Parameters<typeof drive>[1],
): Promise<Driven> {
  const segment = randomBytes(rates.segmentBytes);
  const file = randomBytes(FILE_BYTES);
  const put = async (folder: string, bytes: Uint8Array) => {
    const key = `${folder}/${crypto.randomUUID()}`;
    await objects.putBytes(key, bytes);
    return key;
  };
  return drive(
    [
      {
        everyMs: SECOND_MS / rates.segmentsPerSecond,
        run: async (host) => objects.remove(await put(`segments-${host}`, segment)),
        isTimed: true,
      },
      // A file and the identities in it.
      { everyMs: COMMIT_EVERY_MS, run: async () => void (await put('events', file)) },
      { everyMs: COMMIT_EVERY_MS, run: async () => void (await put('keys', file)) },
      { everyMs: 10 * SECOND_MS, run: async () => void (await objects.list('events/')) },
    ],
    at,
  );
}
