import { expect, test } from 'bun:test';
import { bandPath, linePath, stacked } from '../../../src/console/parts/chart/paths.ts';

const XS = [0, 10, 20, 30];
const y = (value: number) => 100 - value;

test('a line has a gap where nothing is known, and a point by itself is one', () => {
  expect(linePath(XS, [1, 2, null, 4], y)).toBe('M0,99L10,98M30,96Z');
  expect(linePath(XS, [null, null, null, null], y)).toBe('');
  expect(linePath([], [], y)).toBe('');
});

test('a band goes along its upper end and back along its lower one', () => {
  expect(bandPath(XS, [1, 2, null, 0], [3, 4, 5, null], y)).toBe('M0,97L10,96L10,98L0,99Z');
});

test('parts of a day stand on each other, and what is negative hangs below zero', () => {
  const parts = [
    [1, 5],
    [2, -3],
    [null, -4],
    [4, 6],
  ];
  expect(stacked(parts, { isDiverging: true })).toEqual([
    [
      [0, 1],
      [0, 5],
    ],
    [
      [1, 3],
      [-3, 0],
    ],
    [
      [3, 3],
      [-7, -3],
    ],
    [
      [3, 7],
      [5, 11],
    ],
  ]);
  expect(stacked(parts, { isDiverging: false }).map((part) => part[1])).toEqual([
    [0, 5],
    [5, 2],
    [2, -2],
    [-2, 4],
  ]);
});
