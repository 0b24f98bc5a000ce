import { afterAll, expect, test } from 'bun:test';
import { createSql } from '../../src/storage/postgres.ts';
import { bootstrapClient } from '../support/crash-client.ts';
import { isHealthy, newDataDir, startInstance } from '../support/instance.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { isFullRun } from '../support/random.ts';
import { until } from '../support/until.ts';
import { type Sign, watchService } from '../support/watchers.ts';

/** At least so long is each thing away; in the short form until everybody has seen it. */
const AWAY_MS = isFullRun ? 60_000 : 0;
const SEEN_WITHIN_MS = 30_000;
const WELL_WITHIN_MS = 60_000;
/** More than the API has connections. */
const ASKING = 60;

type Trouble = Sign & { begin: () => unknown; end: () => unknown };

const servers = await startOwnServers(newDataDir());
const { postgres, temporal } = servers;
const env = { ...servers.env, RATE_LIMIT_SCALE: '1000' };
const instance = await startInstance({ env });
afterAll(async () => {
  await instance.stop();
  await Promise.all([postgres.kill(), temporal.kill()]);
});
const client = bootstrapClient(instance, 'said', env);
const watch = await watchService(instance.url, client.apiKey);
const processes = instance.children();

/** Every connection of the API waits for a table that somebody keeps to himself. */
function exhaustion(): Pick<Trouble, 'begin' | 'end'> {
  const sql = createSql(env.DATABASE_URL, { maxConnections: 1, applicationName: 'crash-test' });
  afterAll(() => sql.end());
  let isOver = false;
  let asking: Promise<unknown> = Promise.resolve();
  const ask = async () => {
    while (!isOver) await client.once('GET', '/v1/webhooks').catch(() => undefined);
  };
  return {
    begin: async () => {
      await sql`BEGIN`;
      await sql`LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE`;
      asking = Promise.all(Array.from({ length: ASKING }, ask));
    },
    end: async () => {
      isOver = true;
      await sql`ROLLBACK`;
      await asking;
    },
  };
}

const database = { dependency: 'postgres', alert: 'DependencyDown' };
const TROUBLES: Record<string, Trouble> = {
  'PostgreSQL paused': { ...database, begin: postgres.freeze, end: postgres.thaw },
  'Temporal gone': {
    dependency: 'temporal',
    alert: 'DependencyDown',
    begin: temporal.kill,
    end: temporal.start,
  },
  ...(isFullRun && { 'pool exhausted': { ...database, ...exhaustion() } }),
};

/** When each watcher came to say so, or no longer, in milliseconds from now. */
async function timesUntil(sign: Sign, isSaid: boolean): Promise<Record<string, number>> {
  const began = performance.now();
  const times: Record<string, number> = {};
  await until(`everybody ${isSaid ? 'sees' : 'forgets'} ${sign.dependency}`, async (saw) => {
    const said = Object.entries(await watch(sign));
    saw(said);
    const atMs = Math.round(performance.now() - began);
    for (const [name, says] of said) {
      if (says === isSaid) times[name] ??= atMs;
    }
    return said.every(([, says]) => says === isSaid);
  });
  return times;
}

const shown = (times: Record<string, number>) =>
  Object.entries(times).map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)}`);

test('while nothing is wrong nobody says so', async () => {
  for (const trouble of Object.values(TROUBLES)) await timesUntil(trouble, false);
});

test.each(Object.entries(TROUBLES))(
  '%s: status, metrics and alert say so, the process stays in service, and all is well after',
  async (name, trouble) => {
    const began = performance.now();
    await trouble.begin();
    const seen = await timesUntil(trouble, true);
    expect(await isHealthy(instance.url)).toBe(true);
    await Bun.sleep(Math.max(0, AWAY_MS - (performance.now() - began)));
    await trouble.end();
    const well = await timesUntil(trouble, false);
    console.log(`  ${name}, seconds until seen: ${shown(seen)}; until well: ${shown(well)}`);
    expect(await isHealthy(instance.url)).toBe(true);
    expect(instance.children()).toEqual(processes);
    expect((await client.once('GET', '/v1/apps')).status).toBe(200);
    if (!isFullRun) return;
    expect(Math.max(...Object.values(seen))).toBeLessThan(SEEN_WITHIN_MS);
    expect(Math.max(...Object.values(well))).toBeLessThan(WELL_WITHIN_MS);
  },
);
