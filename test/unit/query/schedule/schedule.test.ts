import { describe, expect, test } from 'bun:test';
import { SHORT_SECONDS } from '../../../../src/query/schedule/places.ts';
import {
  Overrun,
  QueueFull,
  Schedule,
  type ScheduleOptions,
  type Turn,
} from '../../../../src/query/schedule/schedule.ts';
import { pause } from '../../../support/pause.ts';
import { until } from '../../../support/until.ts';

const NEVER_MS = 3_600_000;

const create = (more: Partial<ScheduleOptions> = {}) =>
  new Schedule({
    ...{ capacity: { processes: 1, long: 2, short: 0 }, waitingPerOrganization: 3 },
    ...{ waitMs: NEVER_MS, ...more },
  });

/** Questions that run until they are told to end, and who has begun. */
function stage(schedule: Schedule) {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const ask = (name: string, signal?: AbortSignal) => {
    const gate = Promise.withResolvers<string>();
    gates.set(name, gate);
    const [orgId = ''] = name.split(' ');
    const task = async () => {
      begun.push(name);
      return gate.promise;
    };
    return schedule.run({ orgId, likeness: name }, task, signal);
  };
  const end = (name: string) => gates.get(name)!.resolve(name);
  return { ask, begun, end, fail: (name: string) => gates.get(name)!.reject(new Error(name)) };
}

describe('a schedule', () => {
  test('takes persons by what they used, not organizations, and gives failed places back', async () => {
    const payersOf = async (orgId: string) => [orgId.slice(0, 1), orgId];
    const schedule = create({ payersOf });
    const { ask, begun, end, fail } = stage(schedule);
    const first = [ask('a1'), ask('a2'), ask('a3')];
    await until('one has begun', () => begun.length === 1);
    const other = ask('b1');
    await until('another person has the place that is left', () => begun.length === 2);
    expect(begun).toEqual(['a1', 'b1']);
    end('b1');
    expect(await other).toBe('b1');
    expect(schedule.places.used('long')).toBe(1);
    fail('a1');
    await expect(first[0]).rejects.toThrow('a1');
    await until('the next has begun', () => begun.length === 3);
    for (const name of ['a2', 'a3']) end(name);
    expect(await Promise.all(first.slice(1))).toEqual(['a2', 'a3']);
    expect([schedule.places.used('long'), schedule.places.waiting.size]).toEqual([0, 0]);
  });

  test('refuses what would wait behind too many, and what has waited too long', async () => {
    const { ask, begun, end } = stage(create());
    const running = ask('a 0');
    const waiting = ['a 1', 'a 2', 'a 3'].map((name) => ask(name));
    await expect(ask('a 4')).rejects.toThrow(QueueFull);
    const other = ask('b 0');
    await until('others are not refused', () => begun.includes('b 0'));
    for (const name of ['a 0', 'a 1', 'a 2', 'a 3', 'b 0']) end(name);
    await Promise.all([running, other, ...waiting]);
    const hasty = stage(create({ waitMs: 5 }));
    const held = hasty.ask('a 0');
    await expect(hasty.ask('a 1')).rejects.toThrow(QueueFull);
    hasty.end('a 0');
    expect(await held).toBe('a 0');
  });

  test('forgets who leaves while they wait', async () => {
    const schedule = create();
    const { ask, begun, end } = stage(schedule);
    const running = ask('a 0');
    const leaving = new AbortController();
    const left = ask('a 1', leaving.signal);
    await until('it waits', () => schedule.places.waiting.size === 1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect(schedule.places.waiting.size).toBe(0);
    end('a 0');
    await running;
    expect(begun).toEqual(['a 0']);
  });

  test('ends a short try that takes long, asks again with a long place, and knows the next time', async () => {
    const seconds: [string, number][] = [];
    const capacity = { processes: 1, long: 2, short: 1 };
    const onSeconds: ScheduleOptions['onSeconds'] = (lane, took) => seconds.push([lane, took]);
    const schedule = create({ capacity, onSeconds });
    const lanes: string[] = [];
    const task = async ({ lane }: Turn) => {
      lanes.push(lane);
      if (lane === 'short') throw new Overrun();
      return 'answered';
    };
    const asking = { orgId: 'a', likeness: 'much' };
    expect(await schedule.run(asking, task)).toBe('answered');
    expect(lanes).toEqual(['short', 'long']);
    expect(seconds.map(([lane]) => lane)).toEqual(['short', 'long']);
  });

  test('gives what took long before no short place', async () => {
    const schedule = create({ capacity: { processes: 1, long: 2, short: 1 } });
    const asking = { orgId: 'a', likeness: 'much' };
    const lanes: string[] = [];
    const note = async ({ lane }: Turn) => lanes.push(lane);
    await schedule.run(asking, () => pause(SHORT_SECONDS * 1_001, 'as long as a long one'));
    expect(schedule.cost(asking)).toBeGreaterThanOrEqual(SHORT_SECONDS);
    await schedule.run(asking, note);
    await schedule.run(asking, note);
    expect(lanes).toEqual(['long', 'short']);
  });

  test('takes a question of more events for longer, one of fewer for shorter', async () => {
    const schedule = create({ capacity: { processes: 1, long: 2, short: 1 } });
    const asking = { orgId: 'a', likeness: 'of an app', events: 1_000_000 };
    await schedule.run(asking, async ({ onUsed }) => onUsed?.(0.5));
    expect(schedule.cost(asking)).toBe(0.5);
    expect(schedule.cost({ ...asking, events: 30_000_000 })).toBe(15);
    expect(schedule.cost({ ...asking, events: 200_000 })).toBe(0.1);
    expect(schedule.cost({ ...asking, events: 10 })).toBe(0.05);
    const lanes: string[] = [];
    await schedule.run({ ...asking, events: 30_000_000 }, async ({ lane }) => lanes.push(lane));
    expect(lanes).toEqual(['long']);
  });

  test('takes a question for short that took little of a processor', async () => {
    const schedule = create({ capacity: { processes: 1, long: 2, short: 1 } });
    const asking = { orgId: 'a', likeness: 'little' };
    await schedule.run(asking, async ({ onUsed }) => {
      await pause(SHORT_SECONDS * 1_001, 'as a short one on a busy host');
      onUsed?.(0.1);
    });
    expect(schedule.cost(asking)).toBe(0.1);
  });
});
