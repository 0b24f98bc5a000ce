import { expect, test } from 'bun:test';
import { visible } from '../../../src/console/visible.ts';

test.each([
  'bob',
  'a b',
  'é',
  '中',
  '🦊',
  '👩‍👩‍👧',
  '❤️',
  '..',
  'a@b.example',
  "'; DROP TABLE apps; --",
])('an id that a page shows as it is stays so: %s', (id) => {
  expect(visible(id)).toBe(id);
});

test.each([
  [' ', '\\u{20}'],
  ['  ', '\\u{20}\\u{20}'],
  [' bob ', '\\u{20}bob\\u{20}'],
  ['a  b', 'a \\u{20}b'],
  ['\t', '\\u{9}'],
  ['bob\n', 'bob\\u{A}'],
  ['\ufeffbob', '\\u{FEFF}bob'],
  ['bob\u200b', 'bob\\u{200B}'],
  ['a\u00a0b', 'a\\u{A0}b'],
  ['\u202ebob', '\\u{202E}bob'],
  ['\u3164', '\\u{3164}'],
  ['\\u{20}', '\\u{5C}u{20}'],
  ['a\u200db', 'a\\u{200D}b'],
])('what a page does not show of an id can be read and typed: %j', (id, shown) => {
  expect(visible(id)).toBe(shown);
});
