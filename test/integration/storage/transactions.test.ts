import { expect, test } from 'bun:test';
import { isLostRace, isTransactionClash } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
await sql`CREATE TABLE pair (id integer PRIMARY KEY, count integer NOT NULL)`;
await sql`INSERT INTO pair VALUES (1, 0), (2, 0)`;

const raise = (code: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'made by the test' USING ERRCODE = '${code}'; END $$`;

test('two transactions that lock rows in opposite order are both carried out', async () => {
  const [bothHold, oneIsDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let holders = 0;
  const addToBoth = async (first: number, second: number) => {
    let isRetry = false;
    await sql.begin(async (tx) => {
      // Otherwise it may take its row again before the other has it, and both wait once more.
      if (isRetry) await oneIsDone.promise;
      isRetry = true;
      await tx`UPDATE pair SET count = count + 1 WHERE id = ${first}`;
      holders += 1;
      if (holders === 2) bothHold.resolve();
      await bothHold.promise;
      await tx`UPDATE pair SET count = count + 1 WHERE id = ${second}`;
    });
    oneIsDone.resolve();
  };
  await Promise.all([addToBoth(1, 2), addToBoth(2, 1)]);
  expect(holders).toBe(3);
  expect(await sql`SELECT id, count FROM pair ORDER BY id`).toMatchObject([
    { id: 1, count: 2 },
    { id: 2, count: 2 },
  ]);
});

test.each(['40P01', '40001'])('%s is tried a bounded number of times', async (code) => {
  let attempts = 0;
  const failed = await sql
    .begin(async (tx) => {
      attempts += 1;
      await tx.unsafe(raise(code));
    })
    .catch((thrown: unknown) => thrown);
  expect(attempts).toBe(5);
  expect([isTransactionClash(failed), isLostRace(failed)]).toEqual([true, false]);
});

test.each(['23505', '23503', '22012'])('%s is not tried again', async (code) => {
  let attempts = 0;
  const failed = await sql
    .begin('read write', async (tx) => {
      attempts += 1;
      await tx.unsafe(raise(code));
    })
    .catch((thrown: unknown) => thrown);
  expect(attempts).toBe(1);
  expect([isTransactionClash(failed), isLostRace(failed)]).toEqual([false, code !== '22012']);
});
