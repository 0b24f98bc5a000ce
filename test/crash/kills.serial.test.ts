import { afterAll, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { createSql } from '../../src/storage/postgres.ts';
import {
  expectExactlyOnce,
  expectVisible,
  prepareEventCrash,
  report,
} from '../support/event-crash.ts';
import { startInstance } from '../support/instance.ts';
import { expectProvisionedOnce, makeAndDelete } from '../support/provisioning-load.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { pause } from '../support/pause.ts';

const VICTIMS = ['api', 'compactor', 'query', 'worker', 'temporal', 'postgres'];
const KILLS = isFullRun ? 100 : VICTIMS.length;
const LONGEST_PAUSE_MS = isFullRun ? 5_000 : 2_000;
const LOOK_EVERY_MS = 3_000;
const APPS_EVERY_MS = isFullRun ? 5_000 : 1_000;
const SEED = Number(process.env.TEST_SEED ?? 20_261_121);
const random = randomFrom(SEED);

const instance = await startInstance({ env: { RATE_LIMIT_SCALE: '1000' } });
afterAll(() => instance.stop());
const crash = await prepareEventCrash(instance, { seed: SEED + 1, clients: 4, everyMs: 250 });

/** Each kind once in every six kills, in an order of its own. */
function* victims(): Generator<string> {
  for (;;) {
    const left = [...VICTIMS];
    while (left.length > 0) {
      const [victim] = left.splice(Math.floor(random() * left.length), 1);
      if (victim) yield victim;
    }
  }
}

async function killAtRandom(): Promise<void> {
  const order = victims();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(200 + random() * LONGEST_PAUSE_MS, 'a kill at any moment');
    // Killed again while it starts is fine too.
    await instance.killChild(order.next().value);
  }
  await pause(LONGEST_PAUSE_MS, 'load after the last kill');
}

let over = false;
const sending = crash.sender.run();
const provisioning = makeAndDelete(crash.client, {
  pauseMs: APPS_EVERY_MS,
  random: randomFrom(SEED + 2),
  isOver: () => over,
});

test(`${KILLS} kills of everything there is: each acknowledged event is there exactly once`, async () => {
  console.log(`  seed ${SEED}`);
  const killing = killAtRandom().finally(() => {
    over = true;
    crash.sender.stop();
  });
  let looks = 0;
  for (; !over; looks += 1) {
    await pause(LOOK_EVERY_MS, 'looks spread over the kills');
    await expectVisible(crash);
  }
  await killing;
  const total = await sending;
  expect(looks).toBeGreaterThan(0);
  expect(total).toBeGreaterThan(KILLS * 100);

  const running = await readRunning(instance.dataDir);
  await expectExactlyOnce(instance, crash, total, { url: running?.env.DATABASE_URL ?? '' });
  console.log(`  ${KILLS} kills, ${looks} looks meanwhile; ${report(crash, total)}`);
});

test('and each app that was made or deleted meanwhile is so once, and whole', async () => {
  const made = await provisioning;
  expect(made).toBeGreaterThan(KILLS);
  const running = await readRunning(instance.dataDir);
  const sql = createSql(running?.env.DATABASE_URL ?? '', {
    maxConnections: 1,
    applicationName: 'crash-test',
  });
  const left = await expectProvisionedOnce(sql);
  await sql.end();
  console.log(`  ${made} apps made, ${left} left`);
});
