import { expect, test } from 'bun:test';
import { chooseFiles, type Lineage } from '../../../src/event-store/rebuild/find-files.ts';

const compacted = (fileId: string): Lineage => ({ fileId, level: 0, rows: 10, swap: null });

const part = (fileId: string, of: string, replaces: string[], swapId = 's'): Lineage => {
  const [number = 1, parts = 1] = of.split('/').map(Number);
  return { fileId, level: 1, rows: 5, swap: { swapId, part: number, parts, replaces } };
};

const choose = (files: Lineage[], catalogued: string[] = []) => {
  const { replaced, candidates } = chooseFiles(files, new Set(catalogued));
  return [[...replaced].toSorted(), candidates.map(({ fileId }) => fileId)];
};

test('a whole swap replaces what it names', () => {
  const files = [compacted('a'), compacted('b'), part('c', '1/2', ['a']), part('d', '2/2', ['a'])];
  expect(choose(files)).toEqual([['a'], ['d', 'c', 'b']]);
});

test('half a swap replaces nothing and is compared last', () => {
  expect(choose([compacted('a'), part('c', '1/2', ['a'])])).toEqual([[], ['a', 'c']]);
});

test('the same part twice is no whole swap', () => {
  const files = [compacted('a'), part('c', '1/2', ['a']), part('d', '1/2', ['a'])];
  expect(choose(files)[0]).toEqual([]);
});

test('a part that was replaced itself, or that the catalogue knows, shows that its swap took place', () => {
  const later = part('e', '1/1', ['c'], 'later');
  const files = [compacted('a'), part('c', '1/2', ['a'])];
  expect(choose([...files, later])).toEqual([['a', 'c'], ['e']]);
  expect(choose(files, ['c'])).toEqual([['a'], []]);
});

test('what the catalogue has is no candidate, in whatever state', () => {
  expect(choose([compacted('a'), compacted('b')], ['a'])).toEqual([[], ['b']]);
});
