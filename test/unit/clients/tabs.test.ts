import { describe, expect, test } from 'bun:test';
import { createClientOn } from '../../../clients/web/src/client.ts';
import { type MemoryStorage, turn, World } from '../../support/clients/world.ts';

const options = { key: 'svp_test', url: 'https://service.example' };

function sentIds(world: World): string[] {
  return world.requests.flatMap(({ body }) =>
    (body.events as { id: string }[]).map(({ id }) => id),
  );
}

function sentNames(world: World): string[] {
  return world.requests.flatMap(({ body }) =>
    (body.events as { name: string }[]).map(({ name }) => name),
  );
}

describe('several tabs of one site', () => {
  test('are one person in one session, and send no event twice', async () => {
    const world = new World();
    const tabs = [1, 2, 3].map(() => createClientOn(world.host(), options));
    for (let round = 0; round < 5; round += 1) {
      for (const tab of tabs) tab.track('app_opened');
      await world.advance(1_000);
    }
    await world.advance(600_000);
    expect(sentIds(world)).toHaveLength(15);
    expect(new Set(sentIds(world)).size).toBe(15);
    const people = world.requests.flatMap(({ body }) =>
      (body.events as { anonymousId: string; sessionId: string }[]).map(
        (event) => `${event.anonymousId} ${event.sessionId}`,
      ),
    );
    expect(new Set(people).size).toBe(1);
  });

  test('a new tab leaves alone what a living one still has to send', async () => {
    const world = new World();
    const first = createClientOn(world.host(), { ...options, flushIntervalMs: 60_000 });
    first.track('app_opened');
    const second = createClientOn(world.host(), options);
    await second.flush();
    await world.advance(10_000);
    expect(sentNames(world)).toEqual([]);
    await first.flush();
    expect(sentNames(world)).toEqual(['app_opened']);
  });

  test('the next page takes over at once what one that was left has not sent', async () => {
    const world = new World();
    world.answers = ['cut'];
    createClientOn(world.host(), options).track('first');
    world.moment('leave');
    await turn();
    world.kill();
    createClientOn(world.host(), options).track('second');
    await world.advance(3_000);
    expect(sentNames(world)).toEqual(['first', 'first', 'second']);
  });

  test('a page that comes back from the history cache lets go of what was taken over', async () => {
    const world = new World();
    const first = createClientOn(world.host(), options);
    world.answers = ['cut'];
    first.track('first');
    world.moment('leave');
    await turn();
    const second = createClientOn(world.host(), options);
    await second.flush();
    world.moment('show');
    await first.flush();
    await world.advance(600_000);
    expect(sentIds(world)).toHaveLength(2);
    expect(new Set(sentIds(world)).size).toBe(1);
  });

  test('optOut and reset in one tab hold for the others', async () => {
    const world = new World();
    const [first, second] = [1, 2].map(() => createClientOn(world.host(), options));
    first?.identify('user-1');
    second?.track('with_user');
    first?.reset();
    second?.track('without_user');
    await second?.flush();
    const events = world.requests[0]?.body.events as { userId?: string; anonymousId: string }[];
    expect(events.map((event) => event.userId)).toEqual(['user-1', undefined]);
    expect(events[0]?.anonymousId).not.toBe(events[1]?.anonymousId ?? '');
    second?.track('third');
    first?.optOut();
    second?.track('fourth');
    await world.advance(600_000);
    expect(world.requests).toHaveLength(1);
  });

  test('the anonymous id is the one of the events, and gone after optOut', async () => {
    const world = new World();
    const client = createClientOn(world.host(), options);
    client.track('app_opened');
    await client.flush();
    const events = world.requests[0]?.body.events as { anonymousId: string }[];
    expect(client.anonymousId()).toBe(events[0]?.anonymousId ?? '');
    client.optOut();
    expect(client.anonymousId()).toBeNull();
    expect([...(world.storage as MemoryStorage).items.keys()]).toEqual(['cp.o']);
  });

  test('what is no event of ours in the storage is removed and does not spoil a batch', async () => {
    const world = new World();
    const storage = world.storage as Storage;
    storage.setItem('cp.e.other.1', '{"not":"an event"}');
    storage.setItem('cp.e.other.2', 'not even JSON');
    storage.setItem('cp.s', 'nonsense');
    storage.setItem('cp.a', 'short');
    storage.setItem('unrelated', 'stays');
    const client = createClientOn(world.host(), options);
    client.track('app_opened');
    await client.flush();
    expect(sentNames(world)).toEqual(['app_opened']);
    expect(storage.getItem('cp.e.other.1')).toBeNull();
    expect(storage.getItem('unrelated')).toBe('stays');
  });

  test('the network coming back ends a back-off', async () => {
    const world = new World();
    world.answers = [{ always: 'cut' }];
    const client = createClientOn(world.host(), options);
    client.track('app_opened');
    await world.advance(3_600_000);
    const before = world.requests.length;
    world.answers = [];
    world.moment('online');
    await turn();
    expect(world.requests).toHaveLength(before + 1);
    await world.advance(600_000);
    expect(world.requests).toHaveLength(before + 1);
  });

  test('stop sends nothing more and leaves the queue to the next page', async () => {
    const world = new World();
    const first = createClientOn(world.host(), options);
    first.track('first');
    first.stop();
    await world.advance(600_000);
    expect(world.requests).toHaveLength(0);
    const second = createClientOn(world.host(), options);
    await second.flush();
    expect(sentNames(world)).toEqual(['first']);
  });

  test('an answer that never comes is given up after thirty seconds', async () => {
    const world = new World();
    world.answers = ['hold'];
    const client = createClientOn(world.host(), options);
    client.track('app_opened');
    await world.advance(3_000);
    await world.advance(29_999);
    expect(world.requests).toHaveLength(1);
    await world.advance(3_001);
    expect(sentIds(world)).toHaveLength(2);
    expect(new Set(sentIds(world)).size).toBe(1);
  });

  test('large events leave the storage of the origin to the host, and are sent all the same', async () => {
    const world = new World();
    const client = createClientOn(world.host(), { ...options, batchSize: 100 });
    const text = '€'.repeat(500);
    for (let n = 0; n < 500; n += 1) {
      client.track('large', { a: text, b: text, c: text, d: text });
    }
    const { items } = world.storage as MemoryStorage;
    const bytes = [...items.values()].reduce((sum, item) => sum + Buffer.byteLength(item), 0);
    expect(bytes).toBeLessThan(1_100_000);
    expect(bytes).toBeGreaterThan(900_000);
    await client.flush();
    expect(new Set(sentIds(world)).size).toBe(500);
    expect([...items.keys()].filter((name) => name.startsWith('cp.e.'))).toEqual([]);
  });

  test("events may go through a path of one's own", async () => {
    const world = new World();
    const client = createClientOn(world.host(), {
      ...options,
      url: 'https://shop.example/',
      path: '/collect',
    });
    client.track('app_opened');
    await client.flush();
    expect(world.requests.map(({ url }) => url)).toEqual(['https://shop.example/collect']);
  });

  test('a page that waits for another one to fall silent still sends its own in time', async () => {
    const world = new World();
    createClientOn(world.host(), { ...options, flushIntervalMs: 600_000 }).track('other');
    const client = createClientOn(world.host(), options);
    client.track('own');
    await world.advance(3_000);
    expect(sentNames(world)).toEqual(['own']);
  });

  test('a page that is hidden after it was left does not look alive', async () => {
    const world = new World();
    world.answers = ['cut', 'cut'];
    createClientOn(world.host(), options).track('first');
    world.moment('leave');
    await turn();
    world.moment('hide');
    await turn();
    world.kill();
    createClientOn(world.host(), options);
    await world.advance(3_000);
    expect(sentNames(world)).toEqual(['first', 'first', 'first']);
  });
});
