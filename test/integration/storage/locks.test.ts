import { describe, expect, test } from 'bun:test';
import { lock, lockSubject, noticeLoss, withLock } from '../../../src/storage/locks.ts';
import { besidePool, type Tx } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();

/** The keys of the advisory locks that somebody holds. */
async function heldKeys(tx: Tx): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    SELECT ((classid::bigint << 32) | objid::bigint)::text AS key FROM pg_locks
    WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.map((row) => row.key);
}

async function hashOf(text: string, seed: number): Promise<string> {
  const [row] = await sql<
    { key: string }[]
  >`SELECT hashtextextended(${text}, ${seed})::text AS key`;
  return row!.key;
}

describe('advisory locks', () => {
  test('of two names never exclude each other', async () => {
    const made = await withLock(sql, 'compaction', () =>
      withLock(sql, 'firstAccount', async () => 'made'),
    );
    expect(made?.value?.value).toBe('made');
  });

  test('are not waited for by who would hold a connection meanwhile', async () => {
    const inner = await withLock(sql, 'firstAccount', () =>
      withLock(sql, 'firstAccount', async () => 'never'),
    );
    expect(inner).toEqual({ value: null });
    expect(await withLock(sql, 'firstAccount', async () => 'now')).toEqual({ value: 'now' });
  });

  test('of a host that vanished are free within half a minute, as PostgreSQL looks for it', async () => {
    const settings = await besidePool(sql).begin(async (tx) => {
      await noticeLoss(tx);
      return tx`SELECT current_setting('tcp_keepalives_idle') AS idle,
        current_setting('tcp_keepalives_interval') AS interval,
        current_setting('tcp_keepalives_count') AS count`;
    });
    expect(settings[0]).toEqual({ idle: '15', interval: '5', count: '3' });
  });

  test('keep the keys of earlier releases, so that those exclude each other in an upgrade', async () => {
    const cases: [Parameters<typeof lockSubject>[1], string, number][] = [
      ['backend', 'backend:x', 0],
      ['funnels', 'funnels:x', 0],
      ['onboardings', 'onboardings:x', 0],
      ['storeApps', 'store apps:x', 0],
      ['storeDay', 'x', 20],
      ['webhooks', 'webhooks:x', 0],
    ];
    for (const [name, text, seed] of cases) {
      const expected = await hashOf(text, seed);
      await sql.begin(async (tx) => {
        await lockSubject(tx, name, 'x');
        expect(await heldKeys(tx)).toEqual([expected]);
      });
    }
    const ofService: [Parameters<typeof lock>[1], string][] = [
      ['migrations', '7310550412'],
      ['firstAccount', '7310550413'],
      ['exchangeRates', await hashOf('exchange rates', 21)],
      ['logPartitions', await hashOf('log-partitions', 0)],
      ['previews', await hashOf('previews', 0)],
    ];
    for (const [name, key] of ofService) {
      await sql.begin(async (tx) => {
        await lock(tx, name);
        expect(await heldKeys(tx)).toEqual([key]);
      });
    }
  });
});
