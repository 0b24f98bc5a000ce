import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FunnelFold } from '../../../src/query/funnel/fold.ts';
import {
  countedPath,
  matches,
  type ReferenceEvent,
  type ReferenceRules,
} from '../../support/funnel-reference.ts';

function fold(events: readonly ReferenceEvent[], rules: ReferenceRules) {
  const ordered = events
    .filter((event) => rules.steps.some((step) => matches(event, step)) && event.at >= rules.fromUs)
    .sort((a, b) => a.at - b.at || a.batchIndex - b.batchIndex || a.arrival - b.arrival);
  const machine = new FunnelFold({
    stepCount: rules.steps.length,
    windowUs: rules.windowUs,
    startBeforeUs: rules.untilUs - rules.fromUs,
    firstStartOnly: rules.firstStartOnly ?? false,
  });
  const depth = machine.fold({
    times: Float64Array.from(ordered, (event) => event.at - rules.fromUs),
    masks: Int32Array.from(ordered, (event) =>
      rules.steps.reduce((mask, step, i) => mask | (matches(event, step) ? 1 << i : 0), 0),
    ),
    count: ordered.length,
  });
  return {
    depth,
    times: [...machine.reachedUs.subarray(0, depth)].map((time) => time + rules.fromUs),
    start: depth === 0 ? undefined : ordered[machine.startIndex],
  };
}

function event(name: string, at: number, props: ReferenceEvent['props'] = {}): ReferenceEvent {
  return { person: 'p', name, at, batchIndex: 0, arrival: at, props };
}

const rulesOf = (names: string, windowUs = 10, fromUs = 0, untilUs = 1_000): ReferenceRules => ({
  steps: [...names].map((name) => ({ event: name })),
  windowUs,
  fromUs,
  untilUs,
});

describe('counting rules', () => {
  test('steps count in order, with anything in between', () => {
    const result = fold(
      [event('a', 1), event('x', 2), event('b', 3), event('c', 4)],
      rulesOf('abc'),
    );
    expect(result).toMatchObject({ depth: 3, times: [1, 3, 4] });
  });

  test('a step out of order does not count', () => {
    expect(fold([event('b', 1), event('a', 2)], rulesOf('ab'))).toMatchObject({ depth: 1 });
  });

  test('the window is inclusive and runs from step 1', () => {
    expect(fold([event('a', 0), event('b', 5), event('c', 10)], rulesOf('abc')).depth).toBe(3);
    expect(fold([event('a', 0), event('b', 5), event('c', 11)], rulesOf('abc')).depth).toBe(2);
  });

  test('the most recent start that still leads on starts the clock', () => {
    const events = [event('a', 0), event('a', 4), event('b', 6), event('a', 8)];
    expect(fold(events, rulesOf('ab'))).toMatchObject({ depth: 2, times: [4, 6] });
  });

  test('whoever comes back and never goes on entered with the first start of the window', () => {
    const events = [event('a', 0), event('a', 3), event('a', 9)];
    expect(fold(events, rulesOf('ab', 10, 2))).toMatchObject({
      depth: 1,
      times: [3],
      start: { at: 3 },
    });
  });

  test('a later start does not lose what only the earlier one reached', () => {
    const events = [event('a', 0), event('b', 1), event('a', 5), event('c', 6)];
    expect(fold(events, rulesOf('abc'))).toMatchObject({ depth: 3, times: [0, 1, 6] });
  });

  test('a later start saves who ran out of time', () => {
    const events = [event('a', 0), event('a', 8), event('b', 9), event('c', 15)];
    expect(fold(events, rulesOf('abc'))).toMatchObject({ depth: 3, times: [8, 9, 15] });
  });

  test('of the first start only what follows it in time counts', () => {
    const rules = { ...rulesOf('abc'), firstStartOnly: true };
    const again = [event('a', 0), event('a', 8), event('b', 9), event('c', 15)];
    expect(fold(again, rules)).toMatchObject({ depth: 2, times: [0, 9] });
    const twice = [event('a', 3), event('b', 3), event('a', 3), event('b', 4), event('a', 4)];
    expect(fold(twice, rules)).toMatchObject({ depth: 2, times: [3, 3] });
  });

  test('each step is taken as early as it can be had', () => {
    const events = [event('a', 0), event('b', 1), event('b', 5), event('c', 6), event('c', 9)];
    expect(fold(events, rulesOf('abc'))).toMatchObject({ depth: 3, times: [0, 1, 6] });
  });

  test('step 1 counts inside the window only, later steps also after it', () => {
    const rules = rulesOf('ab', 10, 10, 20);
    expect(fold([event('a', 9), event('b', 12)], rules).depth).toBe(0);
    expect(fold([event('a', 10), event('b', 12)], rules).depth).toBe(2);
    expect(fold([event('a', 19), event('b', 29)], rules).depth).toBe(2);
    expect(fold([event('a', 20), event('b', 21)], rules).depth).toBe(0);
  });

  test('identical steps need as many events', () => {
    expect(fold([event('a', 1)], rulesOf('aa')).depth).toBe(1);
    expect(fold([event('a', 1), event('a', 1)], rulesOf('aa')).depth).toBe(2);
    expect(fold([event('a', 1), event('a', 2), event('a', 3)], rulesOf('aaa'))).toMatchObject({
      depth: 3,
      times: [1, 2, 3],
    });
  });

  test('at one instant order is step order', () => {
    const events = [event('c', 5), event('b', 5), event('a', 5)];
    expect(fold(events, rulesOf('abc'))).toMatchObject({ depth: 3, times: [5, 5, 5] });
  });

  test('overlapping steps at one instant share their events as far as they go', () => {
    const rules: ReferenceRules = {
      ...rulesOf('ab'),
      steps: [{ event: 'a' }, { event: 'b', where: { prop: 'p', equals: '1' } }, { event: 'b' }],
    };
    const one = event('b', 2, { p: 1 });
    expect(fold([event('a', 1), one], rules).depth).toBe(2);
    expect(fold([event('a', 1), one, event('b', 2)], rules).depth).toBe(3);
    expect(fold([event('a', 1), event('b', 2), event('b', 3)], rules).depth).toBe(1);
  });

  test('of two ways from one start at one instant, the one further along is taken', () => {
    const events = [event('b', 0), event('a', 0), event('a', 7), event('b', 7)];
    expect(fold(events, rulesOf('aba', 7, 0, 1))).toMatchObject({ depth: 3, times: [0, 0, 7] });
  });

  test('a flood of events at one instant is taken quickly', () => {
    const flood = Array.from({ length: 20_000 }, () => event('a', 7));
    expect(fold([...flood, event('b', 7)], rulesOf('aaab')).depth).toBe(4);
  });
});

const streams = fc
  .record({
    names: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 5 }),
    wheres: fc.array(fc.constantFrom(undefined, '1', '2', 'true'), { minLength: 5, maxLength: 5 }),
    windowUs: fc.integer({ min: 0, max: 8 }),
    fromUs: fc.integer({ min: 0, max: 3 }),
    lengthUs: fc.integer({ min: 1, max: 14 }),
    firstStartOnly: fc.boolean(),
    events: fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        at: fc.integer({ min: 0, max: 14 }),
        batchIndex: fc.integer({ min: 0, max: 3 }),
        value: fc.constantFrom(null, 1, 2, '1', true, 'x'),
      }),
      { maxLength: 9 },
    ),
  })
  .map(({ names, wheres, windowUs, fromUs, lengthUs, firstStartOnly, events }) => ({
    rules: {
      steps: names.map((name, i) => {
        const equals = wheres[i];
        return equals === undefined
          ? { event: name }
          : { event: name, where: { prop: 'p', equals } };
      }),
      windowUs,
      fromUs,
      untilUs: fromUs + lengthUs,
      firstStartOnly,
    },
    events: events.map(({ value, ...rest }, arrival) => ({
      ...rest,
      person: 'p',
      arrival,
      props: { p: value },
    })),
  }));

describe('the fold and the rules tried path by path', () => {
  test('agree on depth, times and start', () => {
    fc.assert(
      fc.property(streams, ({ rules, events }) => {
        const expected = countedPath(events, rules);
        const actual = fold(events, rules);
        expect(actual.depth).toBe(expected?.times.length ?? 0);
        expect(actual.times).toEqual(expected?.times ?? []);
        expect(actual.start).toBe(expected?.events[0]);
      }),
      { numRuns: process.env.TEST_FULL ? 50_000 : 5_000 },
    );
  });

  test('arrival in another order changes nothing but ties', () => {
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.nat()), ({ rules, events }, random) => {
        const keyed = events.map((one) => ({ one, key: random.next().value ?? 0 }));
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
        expect(fold(shuffled, rules)).toEqual(fold(events, rules));
      }),
      { numRuns: 2_000 },
    );
  });
});
