import { afterAll, describe, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { expectExactlyOnce, prepareEventCrash, report } from '../support/event-crash.ts';
import { floodAlone, floodMixed, makeTenant, probeEach, REFUSED } from '../support/flood.ts';
import { isLast } from '../support/flood-requests.ts';
import { startFloodService } from '../support/flood-service.ts';
import { FloodWorld } from '../support/flood-world.ts';
import { BATCH_EVENTS } from '../support/numbered-events.ts';
import { isFullRun } from '../support/random.ts';

const SEED = Number(process.env.TEST_SEED ?? 20_261_123);
const ROUNDS = Number(process.env.TEST_FLOOD_ROUNDS ?? (isFullRun ? 3 : 1));
const MIXED_MS = Number(process.env.TEST_FLOOD_SECONDS ?? (isFullRun ? 300 : 3)) * 1_000;
const IN_FLIGHT = isFullRun ? 200 : 60;
/** Twenty are enough for what holds a connection and waits for another. */
const ALONE = isFullRun ? 200 : 20;
const TENANTS = isFullRun ? 8 : 2;
const SAMPLE = ['signUp', 'createOrganization', 'inviteMember', 'acceptInvitation', 'signIn'];
/** Each with a batch of 20 every 300 ms: 2,000 events a second, a third of them in the short form. */
const PACE = { clients: isFullRun ? 30 : 10, everyMs: 300, keepsPace: true };
/** What they send in the time of a mixed round, which lasts until it has come in. */
const EVENTS_BESIDE = ((PACE.clients * BATCH_EVENTS) / PACE.everyMs) * MIXED_MS;

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
const eventsBeside: number[] = [];

/** Events acknowledged from now on. */
function countEvents(): () => number {
  const before = crash.sender.acknowledgedEvents;
  return () => crash.sender.acknowledgedEvents - before;
}

describe.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))('round %i', (round) => {
  test(`${IN_FLIGHT} requests in flight over all operations are each answered in time`, async () => {
    const end = performance.now() + MIXED_MS;
    const beside = countEvents();
    const isOver = () => performance.now() > end && beside() >= EVENTS_BESIDE;
    const tally = await floodMixed(world, tenants, IN_FLIGHT, isOver);
    const events = beside();
    eventsBeside.push(events);
    console.log(`  round ${round}, mixed: ${tally}; ${events} events beside them`);
    expect(tally.faults).toEqual([]);
    expect(tally.requests).toBeGreaterThan(IN_FLIGHT);
    expect(events).toBeGreaterThanOrEqual(EVENTS_BESIDE);
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
  const inRounds = eventsBeside.reduce((sum, events) => sum + events, 0);
  console.log(
    `  ${Math.round(total / seconds)} events a second, ${inRounds} of ${total} beside the mixed rounds; ${report(crash, total)}`,
  );
  expect(eventsBeside).toHaveLength(ROUNDS);
  expect(total).toBeGreaterThanOrEqual(inRounds);
  // Each batch and each repetition was acknowledged once.
  expect(crash.sender.acknowledgedEvents).toBe(total);
  const { sentAgain, answers } = crash.sender;
  expect((answers.get(202) ?? 0) * BATCH_EVENTS).toBe(total + sentAgain);
});
