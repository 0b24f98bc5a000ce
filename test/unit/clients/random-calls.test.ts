import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClientOn } from '../../../clients/web/src/client.ts';
import type { KeyValue } from '../../../clients/web/src/host.ts';
import type { Client, Properties } from '../../../clients/web/src/types.ts';
import { MemoryStorage, type ScriptedAnswer, turn, World } from '../../support/clients/world.ts';

const options = { key: 'svp_test', url: 'https://service.example' };

const hostile: unknown[] = [
  undefined,
  null,
  42,
  {},
  [],
  Symbol('name'),
  10n,
  () => {},
  // fast-check looks at symbols when it prints a counterexample.
  new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name === 'string') throw new Error('getter');
        return undefined;
      },
    },
  ),
  {
    get broken() {
      throw new Error('getter');
    },
  },
  Object.create(null),
];

const anything = fc.oneof(fc.string(), fc.constantFrom(...hostile), fc.anything());
const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  fc.constantFrom<ScriptedAnswer>('cut', 'lost', 'hold', 413, 429, 500, 302, 0, 999, Number.NaN),
  fc.integer({ min: 200, max: 599 }),
  fc.record({
    status: fc.constantFrom(429, 503),
    retryAfter: fc.oneof(fc.string(), fc.nat().map(String)),
  }),
);
const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constant('track'), fc.constantFrom('app_opened', 'x'), anything),
  },
  fc.tuple(fc.constant('burst'), fc.integer({ min: 1, max: 600 })),
  fc.tuple(fc.constant('track'), anything, anything),
  fc.tuple(fc.constant('screen'), anything),
  fc.tuple(fc.constant('identify'), anything),
  fc.tuple(
    fc.constantFrom('reset', 'flush', 'optOut', 'optIn', 'stop', 'start', 'kill', 'release'),
  ),
  fc.tuple(fc.constant('moment'), fc.constantFrom('hide', 'leave', 'show', 'online')),
  fc.tuple(fc.constant('advance'), fc.integer({ min: 0, max: 700_000 })),
  fc.tuple(fc.constant('jump'), fc.integer({ min: -1e12, max: 1e12 })),
  fc.tuple(fc.constant('answers'), fc.array(answer, { maxLength: 5 })),
  fc.tuple(fc.constant('quota'), fc.boolean()),
) as fc.Arbitrary<unknown[]>;

/** Storage that is full, or out of order, whenever the test says so. */
class MoodyStorage extends MemoryStorage {
  full = false;
  override setItem(name: string, value: string) {
    if (this.full) throw new Error('QuotaExceededError');
    super.setItem(name, value);
  }
}

async function act(
  world: World,
  client: Client,
  [action, first, second]: unknown[],
): Promise<void> {
  if (action === 'track') client.track(first as string, second as Properties);
  else if (action === 'burst')
    for (let n = 0; n < Number(first); n += 1) client.track('app_opened');
  else if (action === 'screen') client.screen(first as string);
  else if (action === 'identify') client.identify(first as string);
  else if (action === 'advance') await world.advance(Number(first));
  else if (action === 'jump') world.jump(Number(first));
  else if (action === 'moment') world.moment(first as 'hide');
  else if (action === 'answers') world.answers = first as ScriptedAnswer[];
  else if (action === 'release') await world.release();
  else if (action === 'kill') world.kill();
  else if (action === 'quota') (world.storage as MoodyStorage).full = Boolean(first);
  else if (action === 'flush') void client.flush();
  else if (action !== 'start') client[action as 'reset']();
}

const eventsOn = (storage: KeyValue) =>
  [...(storage as MemoryStorage).items.keys()].filter((name) => name.startsWith('cp.e.')).length;

describe('whatever the host does', () => {
  test('no call throws, the cap is kept and only valid batches are sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        const world = new World();
        world.storage = new MoodyStorage();
        const loud = {
          ...options,
          onError: () => {
            throw new Error('the host does not cope');
          },
        };
        let client = createClientOn(world.host(), loud);
        for (const each of calls) {
          if (each[0] === 'kill' || each[0] === 'start') {
            world.kill();
            await world.advance(600_000);
            client = createClientOn(world.host(), loud);
          }
          await act(world, client, each);
          await turn();
          expect(eventsOn(world.storage)).toBeLessThanOrEqual(500);
        }
        for (const { body, request } of world.requests) {
          const events = body.events as { name: string; props?: object }[];
          expect(events.length).toBeGreaterThanOrEqual(1);
          expect(events.length).toBeLessThanOrEqual(100);
          expect(Buffer.byteLength(request.body)).toBeLessThan(65_536);
          for (const event of events) expect(event.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
        }
      }),
      { numRuns: process.env.TEST_FULL ? 500 : 60 },
    );
  });

  test('options of any shape make a client that can be called', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (options) => {
        const client = createClientOn(new World().host(), options as never);
        client.track('app_opened');
        client.optOut();
        await client.flush();
        client.stop();
      }),
      { numRuns: 200 },
    );
  });

  test('a call does as little with a full queue as with an empty one', () => {
    const world = new World();
    const storage = world.storage as MemoryStorage;
    const client = createClientOn(world.host(), options);
    client.track('app_opened');
    const touched = (work: () => void) => {
      let count = 0;
      const getItem = storage.getItem.bind(storage);
      const setItem = storage.setItem.bind(storage);
      storage.getItem = (name) => {
        count += 1;
        return getItem(name);
      };
      storage.setItem = (name, value) => {
        count += 1;
        setItem(name, value);
      };
      work();
      Object.assign(storage, { getItem, setItem });
      return count;
    };
    const empty = touched(() => client.track('app_opened'));
    for (let n = 0; n < 600; n += 1) client.track('app_opened');
    expect(touched(() => client.track('app_opened'))).toBe(empty);
    expect(empty).toBeLessThan(10);
  });
});
