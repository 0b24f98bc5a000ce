import { expect, test } from 'bun:test';
import { type PageQuery, readAllPages } from '../../../src/console/state/all-pages.ts';

test('a list is read to its end, as many at once as routes give', async () => {
  const asked: PageQuery[] = [];
  const pages = new Map([
    [undefined, { people: [1, 2], nextCursor: 'b' }],
    ['b', { people: [3], nextCursor: 'c' }],
    ['c', { people: [], nextCursor: null }],
  ]);
  const all = await readAllPages(async (query) => {
    asked.push(query);
    return pages.get(query.cursor) ?? { people: [], nextCursor: null };
  });
  expect(all).toEqual([1, 2, 3]);
  expect(asked).toEqual([
    { limit: 1_000 },
    { limit: 1_000, cursor: 'b' },
    { limit: 1_000, cursor: 'c' },
  ]);
});
