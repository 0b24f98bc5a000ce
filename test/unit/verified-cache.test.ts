import { describe, expect, test } from 'bun:test';
import { AppError } from '../../src/shared/errors.ts';
import { VerifiedCache } from '../../src/shared/verified-cache.ts';
import { pause } from '../support/pause.ts';

class Away extends Error {}

function setUp(maxEntries = 10) {
  let nowMs = 1_000_000;
  let calls = 0;
  let answer: () => Promise<string | null> = async () => 'value';
  const cache = new VerifiedCache<string>({
    clock: () => new Date(nowMs),
    maxEntries,
    isAway: (thrown) => thrown instanceof Away,
  });
  return {
    cache,
    get: (key = 'k', options = {}) =>
      cache.get(
        key,
        () => {
          calls += 1;
          return answer();
        },
        options,
      ),
    pass: (ms: number) => {
      nowMs += ms;
    },
    answers: (next: () => Promise<string | null>) => {
      answer = next;
    },
    calls: () => calls,
  };
}

const away = async () => {
  throw new Away();
};

describe('VerifiedCache', () => {
  test('asks once within the time that an answer is fresh', async () => {
    const t = setUp();
    expect(await t.get()).toBe('value');
    t.pass(3_999);
    expect(await t.get()).toBe('value');
    expect(t.calls()).toBe(1);
  });

  test('asks again before 5 seconds are over, and follows the new answer', async () => {
    const t = setUp();
    await t.get();
    t.pass(4_500);
    t.answers(async () => null);
    expect(await t.get()).toBeNull();
  });

  test('never remembers "no"', async () => {
    const t = setUp();
    t.answers(async () => null);
    expect(await t.get()).toBeNull();
    t.answers(async () => 'value');
    expect(await t.get()).toBe('value');
  });

  test('shares one look-up among those who ask at the same time', async () => {
    const t = setUp();
    const answers = await Promise.all([t.get(), t.get(), t.get()]);
    expect(answers).toEqual(['value', 'value', 'value']);
    expect(t.calls()).toBe(1);
  });

  test('drops the entry unused for longest when it is full', async () => {
    const t = setUp(2);
    await t.get('a');
    await t.get('b');
    await t.get('a');
    await t.get('c');
    expect(t.calls()).toBe(3);
    await t.get('a');
    expect(t.calls()).toBe(3);
    await t.get('b');
    expect(t.calls()).toBe(4);
  });

  test('forgets what is told to, also an answer that is on its way', async () => {
    const t = setUp();
    await t.get();
    t.cache.forget((value) => value === 'value');
    let release: (value: string) => void = () => undefined;
    t.answers(() => new Promise((resolve) => (release = resolve)));
    const slow = t.get();
    t.cache.forget((value) => value === 'value');
    release('value');
    await slow;
    t.answers(async () => null);
    expect(await t.get()).toBeNull();
  });

  describe('while the database is away', () => {
    test('is unavailable for the unknown, never "no"', async () => {
      const t = setUp();
      t.answers(away);
      const thrown = await t.get().catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(AppError);
      expect(thrown).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    });

    test('is unavailable for the known too, unless there is grace', async () => {
      const t = setUp();
      await t.get();
      t.pass(60_000);
      t.answers(away);
      expect(await t.get('k', { graceMs: 600_000 })).toBe('value');
      await expect(t.get()).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('ends the grace at its time', async () => {
      const t = setUp();
      await t.get();
      t.pass(600_000);
      t.answers(away);
      await expect(t.get('k', { graceMs: 600_000 })).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('remembers nothing of it', async () => {
      const t = setUp();
      t.answers(away);
      await t.get().catch(() => undefined);
      t.answers(async () => 'value');
      expect(await t.get()).toBe('value');
    });

    test('answers the known with grace when the database hangs', async () => {
      const t = setUp();
      await t.get();
      t.pass(10_000);
      t.answers(() => new Promise(() => undefined));
      expect(await t.get('k', { graceMs: 600_000 })).toBe('value');
    });
  });

  test('waits for a database that hangs once, not for every caller', async () => {
    const t = setUp();
    await t.get('a');
    await t.get('b');
    t.pass(10_000);
    t.answers(() => new Promise(() => undefined));
    expect(await t.get('a', { graceMs: 600_000 })).toBe('value');
    const patience = pause(500, 'an answer that may come late').then(() => 'late');
    expect(await Promise.race([t.get('b', { graceMs: 600_000 }), patience])).toBe('value');
  });

  test('does not pile up look-ups in a database that hangs', async () => {
    const t = setUp();
    await t.get('known');
    t.pass(10_000);
    const hanging = Promise.withResolvers<string | null>();
    t.answers(() => hanging.promise);
    const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`);
    const first = await Promise.allSettled(keys.map((key) => t.get(key)));
    expect(first.every(({ status }) => status === 'rejected')).toBe(true);
    const begun = t.calls();
    await expect(t.get('another')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await t.get('known', { graceMs: 600_000 })).toBe('value');
    expect(t.calls()).toBe(begun);

    hanging.resolve('value');
    await hanging.promise;
    expect(await t.get('another')).toBe('value');
  });

  test('asks again with patience once the database has answered', async () => {
    const t = setUp();
    await t.get('a');
    await t.get('b');
    t.pass(10_000);
    t.answers(away);
    expect(await t.get('a', { graceMs: 600_000 })).toBe('value');
    t.answers(async () => 'new value');
    expect(await t.get('b')).toBe('new value');
    expect(await t.get('a', { graceMs: 600_000 })).toBe('new value');
  });

  test('lets a fault through that is no outage', async () => {
    const t = setUp();
    t.answers(async () => {
      throw new TypeError('a bug');
    });
    await expect(t.get()).rejects.toBeInstanceOf(TypeError);
  });
});
