import { afterAll } from 'bun:test';
import { type EventCrash, prepareEventCrash } from './event-crash.ts';
import { type Instance, newDataDir, startInstance } from './instance.ts';
import { residentMb } from './memory.ts';
import { type OwnServers, startOwnServers } from './own-servers.ts';
import { isFullRun } from './random.ts';
import { pause } from './pause.ts';

/** How long a server is away. */
export const AWAY_MS = isFullRun ? 600_000 : 8_000;
const LOOK_EVERY_MS = isFullRun ? 10_000 : 1_000;
/** Far above what the API takes, and far under what it would take to keep these events in memory. */
export const MOST_MB = 400;

export type EventOutage = {
  servers: OwnServers;
  env: OwnServers['env'];
  instance: Instance;
  crash: EventCrash;
  /** Memory of the API now. */
  apiMb: () => number;
  /** Looks again and again while a server is away; gives what the API had in memory at most. */
  lookOn: (look: () => Promise<void>) => Promise<number>;
};

/** A whole instance beside a PostgreSQL and a Temporal of the test's own, and clients that send. */
export async function prepareEventOutage(seed: number): Promise<EventOutage> {
  const servers = await startOwnServers(newDataDir());
  const env = { ...servers.env, RATE_LIMIT_SCALE: '1000' };
  const instance = await startInstance({ env });
  afterAll(async () => {
    await instance.stop();
    await Promise.all([servers.postgres.kill(), servers.temporal.kill()]);
  });
  const crash = await prepareEventCrash(instance, { seed, clients: 4, everyMs: 250, env });
  const apiMb = () => Math.round(residentMb(instance.children().api ?? 0));
  const lookOn: EventOutage['lookOn'] = async (look) => {
    let peakMb = 0;
    const end = performance.now() + AWAY_MS;
    while (performance.now() < end) {
      await pause(LOOK_EVERY_MS, 'looks spread over the outage');
      peakMb = Math.max(peakMb, apiMb());
      await look();
    }
    return peakMb;
  };
  return { servers, env, instance, crash, apiMb, lookOn };
}
