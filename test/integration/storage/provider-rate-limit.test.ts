import { beforeEach, describe, expect, test } from 'bun:test';
import { createProviderRateLimit } from '../../../src/storage/provider-rate-limit.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const one = createProviderRateLimit(sql);
const other = createProviderRateLimit(sql);

beforeEach(() => sql`DELETE FROM provider_limits`.then(() => undefined));

const passes = async (times: number) => {
  const waits: (number | null)[] = [];
  for (let index = 0; index < times; index += 1) waits.push(await other.take('p'));
  return waits.map((wait) => wait === null);
};

describe('createProviderRateLimit', () => {
  test('lets everything through while nothing is known', async () => {
    expect(await passes(3)).toEqual([true, true, true]);
  });

  test('what one process was told holds for the other', async () => {
    await one.note('p', { remaining: 2, resetInSeconds: 30 });
    expect(await passes(4)).toEqual([true, true, false, false]);
    expect(await one.take('p')).toBeGreaterThan(25);
    expect(await one.take('p')).toBeLessThanOrEqual(30);
  });

  test('providers do not hold each other back', async () => {
    await one.note('p', { remaining: 0, resetInSeconds: 30 });
    expect(await other.take('q')).toBeNull();
  });

  test('the lower figure wins within a period', async () => {
    await one.note('p', { remaining: 1, resetInSeconds: 30 });
    await one.note('p', { remaining: 5, resetInSeconds: 30 });
    expect(await passes(2)).toEqual([true, false]);
  });

  test('a period that has ended says nothing', async () => {
    await one.note('p', { remaining: 0, resetInSeconds: 30 });
    await sql`UPDATE provider_limits SET reset_at = now() - interval '1 second'`;
    expect(await passes(2)).toEqual([true, true]);
    await one.note('p', { remaining: 3, resetInSeconds: 30 });
    expect(await passes(4)).toEqual([true, true, true, false]);
  });

  test('requests at the same moment share what is left', async () => {
    await one.note('p', { remaining: 5, resetInSeconds: 30 });
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).take('p')),
    );
    expect(waits.filter((wait) => wait === null).length).toBe(5);
  });
});
