import { expect, test } from 'bun:test';
import { Round } from '../../../src/shared/round.ts';

test('a round reaches every entry of a long list, and begins again after the last', async () => {
  const list = Array.from({ length: 7 }, (_, i) => i);
  const round = new Round<number>(3);
  const select = async (after: number | null, limit: number) =>
    list.filter((one) => after === null || one > after).slice(0, limit);
  const parts = [];
  for (let i = 0; i < 4; i += 1) parts.push(await round.next(select));
  expect(parts).toEqual([[0, 1, 2], [3, 4, 5], [6], [0, 1, 2]]);
});

test('a list that one round takes is taken whole each time', async () => {
  const round = new Round<number>(3);
  const select = async (after: number | null) => (after === null ? [1, 2] : []);
  expect([await round.next(select), await round.next(select)]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});
