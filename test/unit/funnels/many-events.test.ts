import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type FoldRules,
  FunnelFold,
  type PersonEvents,
  type PersonFold,
} from '../../../src/query/funnel/fold.ts';
import { AnyOrderFold } from '../../../src/query/funnel/fold-any-order.ts';
import { ExcludingFold } from '../../../src/query/funnel/fold-excluding.ts';
import { MAX_FUNNEL_STEPS } from '../../../src/query/funnel/model.ts';
import { PersonBuffer } from '../../../src/query/funnel/person.ts';
import { countedInAnyOrder } from '../../support/funnel-reference.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const NO_TURNS = { turn: async () => undefined };
const STEPS = 12;
const TIME_SHIFT = BigInt(MAX_FUNNEL_STEPS + 1);

const rulesOf = (stepCount: number, more: Partial<FoldRules> = {}): FoldRules => ({
  ...{ stepCount, windowUs: 1e15, startBeforeUs: 1e15 },
  ...more,
});

/** Of one person, `together` of them at each instant, for the steps that a number of 11 bits says. */
function manyEvents(count: number, together: number, seed = 1): PersonEvents {
  const random = randomFrom(seed);
  return {
    times: Float64Array.from({ length: count }, (_, n) => Math.floor(n / together)),
    // Nothing is the last step, so that no path is ever complete.
    masks: Int32Array.from({ length: count }, () => 1 + Math.floor(random() * (2 ** 11 - 1))),
    count,
  };
}

const FOLDS: Record<string, () => PersonFold> = {
  'in order': () => new FunnelFold(rulesOf(STEPS)),
  'in any order': () => new AnyOrderFold(rulesOf(STEPS, { isAnyOrder: true })),
  'with exclusions': () =>
    new ExcludingFold(rulesOf(STEPS, { exclusions: [{ bit: STEPS, from: 0, to: STEPS - 1 }] })),
};

const oneEvent = fc.record({
  at: fc.integer({ min: 0, max: 6 }),
  steps: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 }),
});

describe('a person with many events', () => {
  test.each(Object.entries(FOLDS))('is followed %s in time that grows as they do', (_, create) => {
    for (const together of [1, 100, 20_000]) {
      expect(create().fold(manyEvents(20_000, together))).toBe(STEPS - 1);
    }
  });

  test.each(Object.entries(FOLDS))('is left %s between two turns', async (_, create) => {
    let turns = 0;
    const turn = async () => {
      turns += 1;
      if (turns === 3) throw new Error('the limit');
    };
    const events = manyEvents(100_000, 1);
    await expect(create().foldInTurns(events, { turn })).rejects.toThrow('the limit');
  });

  test.each(Object.entries(FOLDS))('is followed %s in turns as at once', async (_, create) => {
    const [atOnce, inTurns] = [create(), create()];
    const events = manyEvents(20_000, 3);
    const depth = await inTurns.foldInTurns(events, NO_TURNS);
    expect(depth).toBe(atOnce.fold(events));
    expect(inTurns.reachedUs).toEqual(atOnce.reachedUs);
    expect([inTurns.startIndex, inTurns.latestStartUs]).toEqual([
      atOnce.startIndex,
      atOnce.latestStartUs,
    ]);
  });

  test('has them sorted as a plain sort does', async () => {
    const random = randomFrom(3);
    const count = 30_000;
    const times = Array.from({ length: count }, () => Math.floor(random() * 500));
    const arrivals = Array.from({ length: count }, () => Math.floor(random() * 2 ** 31));
    const packed = new BigInt64Array(times.map((time) => (BigInt(time) << TIME_SHIFT) | 1n));
    const order = new BigInt64Array(arrivals.map(BigInt));
    const events = { events: new Int32Array(packed.buffer), order: new Int32Array(order.buffer) };
    const wanted = times
      .map((_, place) => place)
      .toSorted((a, b) => times[a]! - times[b]! || arrivals[a]! - arrivals[b]! || a - b);
    const [atOnce, inTurns] = [new PersonBuffer(count), new PersonBuffer(count)];
    atOnce.load(events, 0, count);
    expect([...atOnce.places]).toEqual(wanted);
    await inTurns.loadInTurns(events, { offset: 0, length: count, pace: NO_TURNS });
    expect([...inTurns.places]).toEqual(wanted);
    expect([...inTurns.times]).toEqual(wanted.map((place) => times[place]!));
  });

  test('reaches steps in any order as trying all of them says', () => {
    const asked = fc.record({
      events: fc.array(oneEvent, { minLength: 1, maxLength: 12 }),
      stepCount: fc.integer({ min: 4, max: 5 }),
      windowUs: fc.integer({ min: 0, max: 6 }),
      untilUs: fc.integer({ min: 0, max: 7 }),
      firstStartOnly: fc.boolean(),
    });
    fc.assert(
      fc.property(asked, ({ events, stepCount, windowUs, untilUs, firstStartOnly }) => {
        const placed = events
          .toSorted((a, b) => a.at - b.at)
          .map((event, arrival) => ({ ...event, arrival, batchIndex: 0 }));
        const rules = { windowUs, startBeforeUs: untilUs, firstStartOnly, isAnyOrder: true };
        const fold = new AnyOrderFold(rulesOf(stepCount, rules));
        const depth = fold.fold({
          times: Float64Array.from(placed, ({ at }) => at),
          masks: Int32Array.from(placed, ({ steps }) =>
            steps.reduce((mask, step) => mask | (1 << step), 0),
          ),
          count: placed.length,
        });
        const steps = Array.from({ length: stepCount }, (_, step) => step);
        const plain = { steps, fromUs: 0, untilUs, windowUs, firstStartOnly };
        const wanted = countedInAnyOrder(placed, plain, (event, step) =>
          event.steps.includes(step),
        );
        expect([...fold.reachedUs.subarray(0, depth)]).toEqual(wanted?.times ?? []);
        if (wanted && depth > 1) expect(placed[fold.startIndex]!.at).toBe(wanted.events[0]!.at);
      }),
      { numRuns: isFullRun ? 20_000 : 300 },
    );
  });
});
