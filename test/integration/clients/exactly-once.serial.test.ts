import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClientOn } from '../../../clients/web/src/client.ts';
import type { Host } from '../../../clients/web/src/host.ts';
import { createNativeClient } from '../../../clients/web/src/native.ts';
import type { AsyncStorageLike } from '../../../clients/web/src/native-types.ts';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { sleep } from '../../../src/shared/time.ts';
import { seeded, startChaosProxy } from '../../support/clients/chaos-proxy.ts';
import { startServed } from '../../support/clients/served.ts';
import { openStored } from '../../support/clients/stored.ts';
import { findSwift, runSwift } from '../../support/clients/swift.ts';
import { MemoryStorage } from '../../support/clients/world.ts';

setDefaultTimeout(900_000);

const LIVES = process.env.TEST_FULL ? 200 : 15;
const SEED = Number(process.env.TEST_SEED ?? 8);

const served = await startServed();
const stored = await openStored(served);
afterAll(() => stored.stop());

async function numbersStored(name: string): Promise<number[]> {
  const rows: EventRow[] = await stored.rows();
  return rows
    .filter((row) => row.name === name)
    .map((row) => JSON.parse(row.props ?? '{}').n as number)
    .toSorted((a, b) => a - b);
}

/** One page of the web client: `kill` takes its timers, its answers and its hands off the disk. */
function page(storage: MemoryStorage, clockOffsetMs: number) {
  let alive = true;
  const never = new Promise<never>(() => {});
  const host: Host = {
    fetch: async (url, request) => {
      const answer = await fetch(url, { ...request, redirect: 'manual' }).catch((error) => {
        if (alive) throw error;
      });
      return alive && answer ? answer : never;
    },
    storage: () => ({
      get length() {
        return storage.length;
      },
      key: (index) => storage.key(index),
      getItem: (name) => storage.getItem(name),
      setItem: (name, value) => alive && storage.setItem(name, value),
      removeItem: (name) => alive && storage.removeItem(name),
    }),
    now: () => Date.now() + clockOffsetMs,
    random: Math.random,
    id: () => crypto.randomUUID(),
    locale: () => 'en-US',
    log: () => {},
    warn: () => {},
    hidden: () => false,
    timer: (run, ms) => {
      const handle = setTimeout(() => alive && run(), ms);
      return () => clearTimeout(handle);
    },
    exclusive: (_name, work) => work(),
    listen: () => () => {},
  };
  return {
    host,
    kill: () => {
      alive = false;
    },
  };
}

describe(`killed and restarted ${LIVES} times, before a server that fails at random`, () => {
  test('the web client delivers every event exactly once', async () => {
    const random = seeded(SEED);
    const proxy = await startChaosProxy(served.url, random);
    const storage = new MemoryStorage();
    const faults: string[] = [];
    let tracked = 0;
    const live = (life: number) => {
      // Other pages' items are taken over when their page has been silent for minutes.
      const { host, kill } = page(storage, life % 2 ? 600_000 : 0);
      const client = createClientOn(host, {
        key: served.app.serviceKey,
        url: proxy.url,
        flushIntervalMs: 250,
        onError: ({ code }) => faults.push(code),
      });
      return { client, kill };
    };
    for (let life = 0; life < LIVES; life += 1) {
      const { client, kill } = live(life);
      const count = 1 + Math.floor(random() * 9);
      for (let n = 0; n < count; n += 1) {
        client.track('chaos_web', { n: tracked, emoji: '👩‍👩‍👧' });
        tracked += 1;
        if (random() < 0.3) void client.flush();
        if (random() < 0.3) await sleep(random() * 20);
      }
      await sleep(random() * 200);
      kill();
    }
    proxy.heal();
    const { client, kill } = live(LIVES);
    const waiting = () => [...storage.items.keys()].some((name) => name.startsWith('cp.e.'));
    for (let n = 0; n < 100 && waiting(); n += 1) {
      await client.flush();
      await sleep(20);
    }
    kill();
    proxy.stop();
    expect(faults.filter((code) => code !== 'not_delivered')).toEqual([]);
    expect(proxy.counts).toHaveProperty('lost');
    expect(await numbersStored('chaos_web')).toEqual(Array.from({ length: tracked }, (_, n) => n));
  });

  test('the client of React Native delivers every event that storage has taken, exactly once', async () => {
    const random = seeded(SEED + 2);
    const proxy = await startChaosProxy(served.url, random);
    const disk = new Map<string, string>();
    const taken = new Set<number>();
    const faults: string[] = [];
    let tracked = 0;
    const live = () => {
      const { host, kill } = page(new MemoryStorage(), 0);
      let alive = true;
      /** Storage of a phone: it takes its time, and what it is at when the app is killed may be done. */
      const later = async (work: () => void) => {
        await sleep(random() * 8);
        if (alive || random() < 0.5) work();
        if (!alive) await new Promise(() => {});
      };
      const storage: AsyncStorageLike = {
        getAllKeys: async () => [...disk.keys()],
        getItem: async (name) => disk.get(name) ?? null,
        setItem: (name, value) =>
          later(() => {
            disk.set(name, value);
            const n = name.startsWith('cp.e.') ? JSON.parse(value).props.n : undefined;
            if (n !== undefined) taken.add(n);
          }),
        removeItem: (name) => later(() => disk.delete(name)),
      };
      const client = createNativeClient(host, {
        key: served.app.serviceKey,
        url: proxy.url,
        flushIntervalMs: 250,
        platform: 'ios',
        newId: () => crypto.randomUUID(),
        storage,
        onError: ({ code }) => faults.push(code),
      });
      const die = () => {
        alive = false;
        kill();
      };
      return { client, die };
    };
    for (let life = 0; life < LIVES; life += 1) {
      const { client, die } = live();
      const count = 1 + Math.floor(random() * 9);
      for (let n = 0; n < count; n += 1) {
        client.track('chaos_native', { n: tracked, emoji: '👩‍👩‍👧' });
        tracked += 1;
        if (random() < 0.3) void client.flush();
        if (random() < 0.3) await sleep(random() * 20);
      }
      await sleep(random() * 200);
      die();
    }
    // Writes that were under way when the last one died end before the next begins.
    await sleep(10);
    proxy.heal();
    const { client, die } = live();
    await client.ready;
    const waiting = () => [...disk.keys()].some((name) => name.startsWith('cp.e.'));
    for (let n = 0; n < 200 && waiting(); n += 1) {
      await client.flush();
      await sleep(20);
    }
    die();
    proxy.stop();
    expect(faults.filter((code) => code !== 'not_delivered')).toEqual([]);
    const found = await numbersStored('chaos_native');
    expect(found).toEqual([...new Set(found)]);
    expect([...taken].filter((n) => !found.includes(n))).toEqual([]);
    expect(taken.size).toBeGreaterThan(0);
    console.log(`storage had taken ${taken.size} of ${tracked} events`);
  });

  const swift = findSwift();
  test.skipIf(!swift)('the Swift client delivers every event exactly once', async () => {
    if (!swift) return;
    const built = await runSwift(swift, ['swift', 'build', '--product', 'ChaosClient']);
    expect(built.code, built.output).toBe(0);
    const random = seeded(SEED + 1);
    const proxy = await startChaosProxy(served.url, random);
    // Inside the package, because Swift may live in a root of its own.
    const folder = `.build/chaos-${crypto.randomUUID()}`;
    const onDisk = join(import.meta.dir, '../../../clients/swift', folder);
    mkdirSync(onDisk, { recursive: true });
    const command = (first: number, count: number) => [
      '.build/debug/ChaosClient',
      proxy.url,
      served.app.serviceKey,
      folder,
      String(first),
      String(count),
    ];
    let started = 0;
    const returned: number[] = [];
    const faults: string[] = [];
    for (let life = 0; life < LIVES; life += 1) {
      const count = 1 + Math.floor(random() * 9);
      const child = swift.spawn(command(started, count));
      started += count;
      const output = new Response(child.stdout).text();
      await sleep(60 + random() * 250);
      child.kill('SIGKILL');
      await child.exited;
      for (const line of (await output).split('\n')) {
        const [word, value] = line.split(' ');
        if (word === 'tracked') returned.push(Number(value));
        if (word === 'error') faults.push(value ?? '');
      }
    }
    proxy.heal();
    const drained = await runSwift(swift, command(started, 0));
    proxy.stop();
    rmSync(onDisk, { recursive: true, force: true });
    expect(drained.code, drained.output).toBe(0);
    expect(faults.filter((code) => code !== 'not_delivered')).toEqual([]);
    const found = await numbersStored('chaos');
    // A call that was killed before it returned may have left its event or not; never two of it.
    expect(found).toEqual([...new Set(found)]);
    expect(returned.filter((n) => !found.includes(n))).toEqual([]);
    expect(returned.length).toBeGreaterThan(LIVES / 2);
  });
});
