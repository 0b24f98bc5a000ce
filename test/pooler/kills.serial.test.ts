import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePgbouncer } from '../../scripts/test/pgbouncer.ts';
import { readRunning } from '../../src/launcher/running.ts';
import {
  expectExactlyOnce,
  expectVisible,
  prepareEventCrash,
  report,
} from '../support/event-crash.ts';
import { startInstance } from '../support/instance.ts';
import { startOwnServers } from '../support/own-servers.ts';
import { pause } from '../support/pause.ts';
import { randomFrom } from '../support/random.ts';

const CHILDREN = ['api', 'compactor', 'query', 'worker'];
const VICTIMS = [...CHILDREN, 'postgres', 'pooler', 'temporal'];
const KILLS = 20;
const SEED = Number(process.env.TEST_SEED ?? 20_261_130);
const random = randomFrom(SEED);

const dir = mkdtempSync(join(tmpdir(), 'pooler-'));
chmodSync(dir, 0o711);
const servers = await startOwnServers(dir);
const pooler = await preparePgbouncer(join(dir, 'pgbouncer'), servers.env.DATABASE_URL);
let between = await pooler.start();
const env = {
  ...servers.env,
  DATABASE_URL: pooler.url,
  DATABASE_DIRECT_URL: servers.env.DATABASE_URL,
  RATE_LIMIT_SCALE: '1000',
};
const instance = await startInstance({ env });
afterAll(async () => {
  await instance.stop();
  await between.stop(1_000);
  await servers.temporal.kill();
  await servers.postgres.kill();
});
const crash = await prepareEventCrash(instance, { seed: SEED, clients: 4, everyMs: 250, env });

async function killOne(victim: string): Promise<void> {
  if (CHILDREN.includes(victim)) return instance.killChild(victim);
  if (victim === 'pooler') {
    between.kill('SIGKILL');
    await between.exited;
    between = await pooler.start();
    return;
  }
  const server = victim === 'postgres' ? servers.postgres : servers.temporal;
  await server.kill();
  await server.start();
}

test('the start finds the pooler, and publishes its mode', async () => {
  const running = await readRunning(instance.dataDir);
  expect(running?.env).toMatchObject({ DATABASE_URL: pooler.url, DATABASE_POOLER: 'transaction' });
});

test(`${KILLS} kills behind PgBouncer: each acknowledged event is there exactly once`, async () => {
  console.log(`  seed ${SEED}`);
  const sending = crash.sender.run();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(500 + random() * 2_000, 'a kill at any moment');
    await killOne(VICTIMS[kills % VICTIMS.length] ?? 'api');
    if (kills % 4 === 3) await expectVisible(crash);
  }
  crash.sender.stop();
  const total = await sending;
  expect(total).toBeGreaterThan(KILLS * 20);
  await expectExactlyOnce(instance, crash, total, { url: env.DATABASE_DIRECT_URL, env });
  console.log(`  ${report(crash, total)}`);
});
