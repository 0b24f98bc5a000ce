import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { openDisk } from '../../../clients/web/src/disk.ts';
import { createNativeClient } from '../../../clients/web/src/native.ts';
import type { AsyncStorageLike, NetInfoLike } from '../../../clients/web/src/native-types.ts';
import type { ClientError } from '../../../clients/web/src/types.ts';
import { turn, World } from '../../support/clients/world.ts';

/** An `AsyncStorage` whose answers wait until `settle` is called, in the order of the calls. */
class SlowStorage implements AsyncStorageLike {
  readonly items = new Map<string, string>();
  readonly calls: string[] = [];
  broken = false;
  #waiting: (() => void)[] = [];

  #later<T>(call: string, work: () => T): Promise<T> {
    this.calls.push(call);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => (this.broken ? reject(new Error('full')) : resolve(work())));
    });
  }
  getAllKeys = () => this.#later('keys', () => [...this.items.keys()]);
  getItem = (name: string) => this.#later(`get ${name}`, () => this.items.get(name) ?? null);
  setItem = (name: string, value: string) =>
    this.#later(`set ${name}`, () => this.items.set(name, value));
  removeItem = (name: string) => this.#later(`remove ${name}`, () => this.items.delete(name));

  /** Answers one round of calls. */
  async round() {
    for (const answer of this.#waiting.splice(0)) answer();
    await turn();
  }
  /** What was asked for is never answered: the process is gone. */
  forget() {
    this.#waiting = [];
  }
  async settle() {
    await turn();
    while (this.#waiting.length) await this.round();
  }
}

function launch(storage: AsyncStorageLike, world = new World(), netInfo?: NetInfoLike) {
  const errors: ClientError[] = [];
  const engine = world.host();
  const client = createNativeClient(engine, {
    key: 'svp_test',
    url: 'https://service.example',
    newId: engine.id,
    storage,
    ...(netInfo && { netInfo }),
    onError: (error) => errors.push(error),
  });
  return { client, world, errors };
}

const eventsOf = (world: World) =>
  world.requests.flatMap(({ body }) => body.events as { name: string; ts: string; id: string }[]);

describe('the client of React Native', () => {
  test('keeps what is called before storage is read, with the time of the call and in order', async () => {
    const storage = new SlowStorage();
    const { client, world } = launch(storage);
    client.track('first');
    expect(client.anonymousId()).toBeNull();
    await world.advance(1_500);
    client.identify('user-1');
    client.track('second');
    await storage.settle();
    await client.ready;
    expect(client.anonymousId()).toBeString();
    await client.flush();
    expect(eventsOf(world)).toMatchObject([
      { name: 'first', ts: '2026-03-01T12:00:00.000Z' },
      { name: 'second', ts: '2026-03-01T12:00:01.500Z', userId: 'user-1' },
    ]);
    expect(eventsOf(world)[0]).not.toHaveProperty('userId');
  });

  test('hands an event to storage within the call that tracks it', async () => {
    const storage = new SlowStorage();
    const { client } = launch(storage);
    await storage.settle();
    storage.calls.length = 0;
    client.track('app_opened');
    expect(storage.calls.some((call) => call.startsWith('set cp.'))).toBe(true);
    await storage.settle();
    expect([...storage.items.keys()].filter((name) => name.startsWith('cp.e.'))).toHaveLength(1);
  });

  test('sends at once what an earlier launch left, as the same events', async () => {
    const storage = new SlowStorage();
    const first = launch(storage);
    await storage.settle();
    for (const name of ['a', 'b', 'c']) first.client.track(name);
    await storage.settle();
    first.world.kill();
    const second = launch(storage, first.world);
    await storage.settle();
    await second.world.advance(3_000);
    await storage.settle();
    expect(eventsOf(second.world).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect([...storage.items.keys()].filter((name) => name.startsWith('cp.e.'))).toEqual([]);
  });

  test('an event that storage could not take is reported and sent all the same', async () => {
    const storage = new SlowStorage();
    const { client, world, errors } = launch(storage);
    await storage.settle();
    storage.broken = true;
    client.track('app_opened');
    await storage.settle();
    expect(errors.map(({ code }) => code)).toContain('storage_unavailable');
    await client.flush();
    expect(eventsOf(world)).toHaveLength(1);
  });

  test('does without a storage that does not answer in five seconds', async () => {
    const { client, world, errors } = launch(new SlowStorage());
    client.track('app_opened');
    await world.advance(4_999);
    expect(client.anonymousId()).toBeNull();
    await world.advance(1);
    await client.flush();
    expect(eventsOf(world)).toHaveLength(1);
    expect(errors.map(({ code }) => code)).toEqual(['storage_unavailable']);
  });

  test('sends as soon as the network is back, not when it is only heard of', async () => {
    const heard: ((state: { isConnected: boolean | null }) => void)[] = [];
    const netInfo: NetInfoLike = {
      addEventListener: (hear) => {
        heard.push(hear);
        return () => heard.splice(0);
      },
    };
    const storage = new SlowStorage();
    const { client, world } = launch(storage, new World(), netInfo);
    await storage.settle();
    client.track('app_opened');
    for (const hear of heard) hear({ isConnected: true });
    await turn();
    expect(world.requests).toEqual([]);
    for (const isConnected of [false, null, true]) for (const hear of heard) hear({ isConnected });
    await turn();
    expect(eventsOf(world)).toHaveLength(1);
    client.stop();
    expect(heard).toEqual([]);
  });

  test('an answer from elsewhere is no delivery, for engines that follow redirects', async () => {
    const elsewhere: [string, boolean][] = [
      ['https://service.example/v1/events', true],
      ['https://SERVICE.example:443/v1/events?x=1', true],
      ['https://portal.example/v1/events', false],
      ['https://service.example/sign-in', false],
    ];
    for (const [url, delivered] of elsewhere) {
      const storage = new SlowStorage();
      const world = new World();
      const { fetch } = world.host();
      const engine = {
        ...world.host(),
        fetch: async (...asked: Parameters<typeof fetch>) => ({ ...(await fetch(...asked)), url }),
      };
      const options = {
        key: 'svp_test',
        url: 'https://service.example',
        newId: engine.id,
        storage,
      };
      const client = createNativeClient(engine, options);
      await storage.settle();
      client.track('app_opened');
      await client.flush();
      await storage.settle();
      const kept = [...storage.items.keys()].some((name) => name.startsWith('cp.e.'));
      expect([url, !kept]).toEqual([url, delivered]);
    }
  });
});

test('the copy in memory and the storage end up the same, and new items come before removals', async () => {
  const names = ['cp.a', 'cp.b', 'cp.e.1.1', 'cp.e.2.1'];
  const change = fc.oneof(
    fc.record({ set: fc.constantFrom(...names), value: fc.string() }),
    fc.record({ remove: fc.constantFrom(...names) }),
    fc.constant('round' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
      const storage = new SlowStorage();
      storage.items.set('cp.a', 'kept').set('other', 'not ours');
      const opening = openDisk(storage, 'cp.', () => {});
      await storage.settle();
      const disk = await opening;
      const wanted = new Map([['cp.a', 'kept']]);
      for (const one of changes) {
        if (one === 'round') await storage.round();
        else if ('set' in one) {
          disk.setItem(one.set, one.value);
          wanted.set(one.set, one.value);
        } else {
          disk.removeItem(one.remove);
          wanted.delete(one.remove);
        }
        for (const name of names) expect(disk.getItem(name)).toBe(wanted.get(name) ?? null);
      }
      await storage.settle();
      expect(new Map([...storage.items].filter(([name]) => name !== 'other'))).toEqual(wanted);
      expect(storage.items.get('other')).toBe('not ours');
    }),
    { numRuns: process.env.TEST_FULL ? 2_000 : 200 },
  );
});

describe('a backlog over launches that are killed at the start', () => {
  test('is neither written anew nor reported as too much, and arrives once and in order', async () => {
    const storage = new SlowStorage();
    const first = launch(storage);
    await storage.settle();
    for (let n = 0; n < 300; n += 1) first.client.track(`event_${n}`);
    await storage.settle();
    first.world.kill();
    for (let kill = 0; kill < 5; kill += 1) {
      storage.calls.length = 0;
      const { client, world, errors } = launch(storage);
      client.track(`launch_${kill}`);
      // Killed after the first round of writes: what was to go next is still there.
      await storage.round();
      await storage.round();
      await storage.round();
      expect(errors).toEqual([]);
      expect(storage.calls.filter((call) => call.startsWith('set cp.e.')).length).toBeLessThan(3);
      world.kill();
      storage.forget();
    }
    const last = launch(storage);
    await storage.settle();
    await last.client.flush();
    await storage.settle();
    const names = eventsOf(last.world).map(({ name }) => name);
    expect(names.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, n) => `event_${n}`));
    expect(new Set(names).size).toBe(names.length);
    expect(last.errors).toEqual([]);
    expect([...storage.items.keys()].filter((name) => name.startsWith('cp.e.'))).toEqual([]);
  });
});
