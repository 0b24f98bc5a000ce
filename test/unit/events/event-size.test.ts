import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isTooLong, MAX_EVENT_BYTES } from '../../../src/modules/events/intake/event-size.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', '\u0001', '"', 'é', '\uD83D\uDE00', '\uD800'), fc.nat(6_000))
    .map(([unit, count]) => unit.repeat(count)),
);
const number = fc.oneof(fc.double(), fc.constantFrom(-1.234567890123456e-300, 0, null, true));
const list = fc.oneof(
  fc.array(fc.oneof(text, number), { maxLength: 6 }),
  fc.nat(6_600).map((count) => Array(count).fill(-5e-324)),
  fc.nat(20_000).map((count) => Array(count).fill(1)),
  fc.nat(13_000).map((count) => Array(count).fill([])),
);
const message = fc.dictionary(
  text,
  fc.oneof(text, number, list, fc.dictionary(text, fc.oneof(text, list), { maxKeys: 3 })),
  { maxKeys: 5 },
);

test('an event is too long by the bytes of its JSON, however they come about', () => {
  const seen = { long: 0, short: 0 };
  fc.assert(
    fc.property(message, (sent) => {
      const isLong = Buffer.byteLength(JSON.stringify(sent)) > MAX_EVENT_BYTES;
      expect(isTooLong(sent)).toBe(isLong);
      seen[isLong ? 'long' : 'short'] += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.long, seen.short)).toBeGreaterThan(100);
});

test('nesting that could not be written is refused', () => {
  let nested: Record<string, unknown> = {};
  for (let depth = 0; depth < 1_002; depth += 1) nested = { nested: [nested] };
  expect(() => isTooLong(nested)).toThrow('event: at most 1000 levels deep');
});
