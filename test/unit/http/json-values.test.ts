import { expect, test } from 'bun:test';
import { checkValues } from '../../../src/http/json-values.ts';

const list = (count: number, value: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => value(index)).join(',')}]`;
const object = (names: number, of = '') =>
  `{${Array.from({ length: names }, (_, index) => `"${of}${index}":1`).join(',')}}`;

test('a batch of 20,000 events of 40 values passes, and one event as wide as an event can be', () => {
  checkValues(list(20_000, () => object(40)));
  checkValues(list(250, () => object(1_000)));
  checkValues(list(1, () => object(5_400)));
});

test.each<[string, () => string]>([
  ['values', () => list(400, () => list(2_501, () => '1'))],
  ['brackets', () => '['.repeat(1_000_001)],
  ['objects', () => list(1_000, () => list(500, () => '{}'))],
  ['names of one object', () => object(260_000)],
  ['names of some objects', () => list(100, (index) => object(4_000, `${index}_`))],
  ['brackets after a text', () => `"\\\\\\"",${'['.repeat(1_000_001)}`],
  ['unbalanced brackets', () => ']}'.repeat(10) + '[,'.repeat(600_000)],
])('too many %s are refused', (_, json) => {
  expect(() => checkValues(json())).toThrow('too many values');
});
