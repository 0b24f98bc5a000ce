import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareVersions, isVersion } from '../../../src/shared/app-version.ts';

const ORDER = [
  ...['', 'dev', 'main\n2.0', 'version 3'],
  ...['1', '1.9', '1.10', '2.3.1', '2.4.0-beta.2', '2.4.0-beta.10', '2.4.0', '2.4.0 (7)'],
  ...['2.4.0 (12)', '2.4.1', 'v2.10', '2.10.0.1', '10.0'],
];

test('versions are ordered by their numbers, not by their characters', () => {
  expect(ORDER.toReversed().toSorted(compareVersions)).toEqual(ORDER);
  expect(['2.4', '2.4.0', 'v2.4'].toSorted(compareVersions)).toHaveLength(3);
});

test('a text without a number at its beginning is no version', () => {
  expect(ORDER.filter(isVersion)).toEqual(ORDER.slice(4));
  for (const text of ['2.', '2..1', '.1', '2.4.0\nx', '2.4.0 <b>', '1234567890123456']) {
    expect({ text, isVersion: isVersion(text) }).toEqual({ text, isVersion: false });
  }
});

test('the order is total', () => {
  const part = fc.oneof(
    fc.constantFrom('', 'v', '-', '.', ' (', '+', 'rc'),
    fc.nat(11).map(String),
  );
  const version = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const sign = (one: string, other: string) => Math.sign(compareVersions(one, other));
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(sign(a, b) + sign(b, a)).toBe(0);
      if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 5_000 },
  );
});
