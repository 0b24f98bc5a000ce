import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { withinBytes } from '../../../src/shared/text.ts';

test('a text is cut behind a whole character, and only where it is too long', () => {
  expect(withinBytes('über', 1)).toBe('');
  expect(withinBytes('über', 2)).toBe('ü');
  expect(withinBytes('a😀b', 4)).toBe('a');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, bytes) => {
      const cut = withinBytes(text, bytes);
      expect(text.startsWith(cut)).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      const next = String.fromCodePoint(text.codePointAt(cut.length) ?? 0);
      if (cut !== text) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(bytes);
    }),
  );
});
