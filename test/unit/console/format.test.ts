import { expect, test } from 'bun:test';
import { changeSize, localeOf } from '../../../src/console/format.ts';

test.each([
  ['en-US', 'en-US'],
  ['de-DE', 'de-DE'],
  ['ar-EG', 'en-EG'],
  ['he', 'en'],
  ['fa-IR', 'en-IR'],
  // Mapuche begins like Arabic, and is written from the left.
  ['arn', 'arn'],
])('numbers and dates of a reader of %s are those of %s', (language, locale) => {
  expect(localeOf(language)).toBe(locale);
});

test('the size of a change has no sign, whichever way it goes', () => {
  expect([changeSize(0.187), changeSize(-0.187)]).toEqual(['18.7%', '18.7%']);
});
