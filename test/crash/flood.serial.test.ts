import { afterAll, describe, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { expectExactlyOnce, prepareEventCrash, report } from '../support/event-crash.ts';
import { floodAlone, floodMixed, makeTenant, probeEach, REFUSED } from '../support/flood.ts';
import { isLast } from '../support/flood-requests.ts';
import { startFloodService } from '../support/flood-service.ts';
import { FloodWorld } from '../support/flood-world.ts';
import { isFullRun } from '../support/random.ts';

const SEED = Number(process.env.TEST_SEED ?? 20_261_123);
const ROUNDS = Number(process.env.TEST_FLOOD_ROUNDS ?? (isFullRun ? 3 : 1));
const MIXED_MS = Number(process.env.TEST_FLOOD_SECONDS ?? (isFullRun ? 300 : 3)) * 1_000;
const IN_FLIGHT = 200;
/** Twenty are enough for what holds a connection and waits for another. */
const ALONE = isFullRun ? 200 : 40;
const TENANTS = isFullRun ? 8 : 2;
const SAMPLE = ['signUp', 'createOrganization', 'inviteMember', 'acceptInvitation', 'signIn'];
/** 30 clients, each with a batch of 20 every 300 ms: 2,000 events a second. */
const PACE = { clients: 30, everyMs: 300, keepsPace: true };

const { instance, service, stop } = await startFloodService();
afterAll(stop);
const processes = instance.children();
const crash = await prepareEventCrash(instance, { seed: SEED, ...PACE });
const world = await FloodWorld.of(service, SEED);
const tenants = await Promise.all(Array.from({ length: TENANTS }, () => makeTenant(world, 2)));
const alone = world.operations
  .filter(({ operationId }) => isFullRun || SAMPLE.includes(operationId))
  .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

const began = performance.now();
const sending = crash.sender.run();

describe.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))('round %i', (round) => {
  test(`${IN_FLIGHT} requests in flight over all operations are each answered in time`, async () => {
    const end = performance.now() + MIXED_MS;
    const isOver = () => performance.now() > end;
    const tally = await floodMixed(world, tenants, IN_FLIGHT, isOver);
    console.log(`  round ${round}, mixed: ${tally}`);
    expect(tally.faults).toEqual([]);
    expect(tally.requests).toBeGreaterThan(IN_FLIGHT);
    expect(instance.children()).toEqual(processes);
  });

  test.each(alone.map((one) => [one.operationId, one] as const))(
    `${ALONE} requests of %s at once are each answered in time`,
    async (_, operation) => {
      const tally = await floodAlone(world, tenants, operation, ALONE);
      console.log(`  round ${round}, ${operation.operationId}: ${tally}`);
      expect(tally.faults).toEqual([]);
      expect(instance.children()).toEqual(processes);
    },
  );
});

test('afterwards each operation is done, in the same processes as before', async () => {
  expect(await probeEach(await FloodWorld.of(service, SEED))).toEqual(REFUSED);
  expect(instance.children()).toEqual(processes);
});

test('and each event that came in beside the flood is there once', async () => {
  crash.sender.stop();
  const total = await sending;
  const seconds = (performance.now() - began) / 1_000;
  const running = await readRunning(instance.dataDir);
  await expectExactlyOnce(instance, crash, total, { url: running?.env.DATABASE_URL ?? '' });
  console.log(`  ${Math.round(total / seconds)} events a second; ${report(crash, total)}`);
});
