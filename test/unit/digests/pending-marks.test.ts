import { describe, expect, test } from 'bun:test';
import type { DigestMark } from '../../../src/modules/digests/model.ts';
import { MAX_MARKS, pendingMarks } from '../../../src/modules/digests/pending-marks.ts';

const mark = (kind: DigestMark['kind'], more: Partial<DigestMark> = {}): DigestMark => ({
  ...{ kind, day: '2026-11-20', at: null, text: 'text', id: null, ...more },
});
const price = (more: Partial<NonNullable<DigestMark['price']>> = {}, day = '2026-11-20') =>
  mark('price', {
    day,
    price: {
      ...{ productId: 'coins', productName: 'Coins', country: 'US', currency: 'USD' },
      ...{ fromMinor: 99, toMinor: 129, countries: 1, ...more },
    },
  });
const isPending = (one: DigestMark, told: DigestMark) => pendingMarks([one], [told]).length === 1;

describe('a mark was told', () => {
  test.each([
    ['the same note', mark('note', { id: 'a' }), mark('note', { id: 'a' }), false],
    ['another note', mark('note', { id: 'a' }), mark('note', { id: 'b' }), true],
    ['another kind', mark('note', { id: 'a' }), mark('version', { id: 'a' }), true],
    [
      'a version on a day that later events moved',
      mark('version', { appVersion: '2.0', day: '2026-11-19' }),
      mark('version', { appVersion: '2.0' }),
      false,
    ],
    [
      'another version',
      mark('version', { appVersion: '2.1' }),
      mark('version', { appVersion: '2.0' }),
      true,
    ],
    ...(['experiment_started', 'experiment_stopped'] as const).flatMap((kind) => {
      const told = mark(kind, { experimentId: 'e', at: '2026-11-20T01:00:00Z' });
      return [
        [kind, told, told, false],
        [`${kind} of another`, { ...told, experimentId: 'f' }, told, true],
        [`${kind} again`, { ...told, at: '2026-11-20T02:00:00Z' }, told, true],
      ] as [string, DigestMark, DigestMark, boolean][];
    }),
    [
      'a stop after the start',
      mark('experiment_stopped', { experimentId: 'e' }),
      mark('experiment_started', { experimentId: 'e' }),
      true,
    ],
    ['the same price', price(), price(), false],
    ['a price that reached more countries', price({ countries: 9 }), price(), false],
    [
      'a price that reached an earlier country',
      price({ country: 'AU' }, '2026-11-14'),
      price(),
      false,
    ],
    [
      'the first country in another currency',
      price({ country: 'CA', currency: 'CAD', toMinor: 179 }),
      price(),
      false,
    ],
    [
      'the same country in another currency',
      price({ currency: 'EUR', toMinor: 149 }),
      price(),
      false,
    ],
    ['a price a week apart', price({ country: 'AU' }, '2026-11-13'), price(), true],
    ['a price a week later', price({ country: 'AU' }, '2026-11-27'), price(), true],
    ['a second price in the country', price({ fromMinor: 129, toMinor: 99 }), price(), true],
    ['a price of another product', price({ productId: 'gems' }), price(), true],
    ['a price without its figures', mark('price'), price(), true],
    ['a price against one without figures', price(), mark('price'), true],
  ])('%s: untold is %p', (_, one, told, expected) => {
    expect(isPending(one, told)).toBe(expected);
  });

  test('or comes in its order, as many at once as a digest holds', () => {
    const notes = Array.from({ length: MAX_MARKS + 5 }, (_, n) => mark('note', { id: `${n}` }));
    const first = pendingMarks(notes, []);
    expect(first).toEqual(notes.slice(0, 20));
    expect(pendingMarks(notes, first)).toEqual(notes.slice(20));
  });
});
