import { describe, expect, test } from 'bun:test';
import { createKeySlots } from '../../../src/modules/sales/collection/key-slots.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const { sql } = await testDatabase();

/** Counts how many requests are under way at once, over several hosts. */
function meter() {
  const now = new Map<string, number>();
  let most = 0;
  return {
    most: () => most,
    request: (key: string) => async () => {
      now.set(key, (now.get(key) ?? 0) + 1);
      most = Math.max(most, now.get(key) ?? 0);
      await pause(5, 'a request that takes its time');
      now.set(key, (now.get(key) ?? 1) - 1);
    },
  };
}

describe('the slots of a key', () => {
  test('let two through at once, from however many hosts', async () => {
    const { request, most } = meter();
    const hosts = Array.from({ length: 3 }, () => createKeySlots(sql));
    await Promise.all(
      hosts.flatMap((host) => Array.from({ length: 6 }, () => host('key', request('key')))),
    );
    expect(most()).toBe(2);
    expect(await sql`SELECT 1 FROM store_key_slots`).toHaveLength(0);
  });

  test('of different keys do not wait for each other', async () => {
    const gate = createKeySlots(sql);
    const release = Promise.withResolvers<void>();
    const held = [gate('busy', () => release.promise), gate('busy', () => release.promise)];
    await gate('other', async () => undefined);
    release.resolve();
    await Promise.all(held);
  });

  test('are given back when a request fails', async () => {
    const gate = createKeySlots(sql);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const failing = gate('key', async () => {
        throw new Error('no');
      });
      expect(failing).rejects.toThrow('no');
    }
    await gate('key', async () => undefined);
  });

  test('stay held by a request that takes longer than the lease', async () => {
    const [slow, other] = [createKeySlots(sql, 0.3), createKeySlots(sql, 0.3)];
    const release = Promise.withResolvers<void>();
    const held = [slow('long', () => release.promise), slow('long', () => release.promise)];
    const expiries = async () => {
      const rows = await sql`
        SELECT slot, expires_at FROM store_key_slots WHERE key_id = 'long' ORDER BY slot`;
      return rows.length < 2 ? null : rows.map((row) => Number(row.expires_at));
    };
    const first = await until('both are held', expiries);
    let through = false;
    const third = other('long', async () => {
      through = true;
    });
    await until('both were renewed past their first lease', async () => {
      const now = await expiries();
      return now?.every((at, index) => at > (first[index] ?? 0) + 300);
    });
    expect(through).toBe(false);
    release.resolve();
    await Promise.all([...held, third]);
  });

  test('of a host that died come free after their lease', async () => {
    for (const slot of [1, 2]) {
      await sql`
        INSERT INTO store_key_slots (key_id, slot, holder, expires_at)
        VALUES ('dead', ${slot}, 'gone', now() + interval '0.3 seconds')`;
    }
    let through = false;
    await createKeySlots(sql)('dead', async () => {
      through = true;
    });
    expect(through).toBe(true);
  });
});
