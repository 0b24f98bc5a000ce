import { expect, test } from 'bun:test';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { instantLiteral, textLiteral, textList } from '../../../src/storage/duckdb-literal.ts';

test('a text is itself in a query, with quotes, NUL and all', async () => {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  const text = fc.string({ unit: fc.constantFrom('a', "'", '\u0000', '\\', '\n', '😀', '%') });
  const texts = fc.array(text, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const result = await connection.runAndReadAll(
        `SELECT [${textList(all)}], ${textLiteral(all[0] ?? '')} IN (${textList(all)})`,
      );
      const [list, isIn] = result.getRowsJS()[0] ?? [];
      expect([list, isIn]).toEqual([all, true]);
    }),
    { numRuns: 50 },
  );
  connection.closeSync();
  duck.closeSync();
});

test('an instant is one until the year 9999', () => {
  expect(instantLiteral(Date.parse('2999-12-31T00:00:00Z') * 1_000)).toContain('BIGINT');
  expect(() => instantLiteral(Number.NaN)).toThrow('No instant');
  expect(() => instantLiteral(1e18)).toThrow('No instant');
});
