import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DigitReader, toDigits } from '../../../src/modules/purchases/overview/digits.ts';

const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -600, max: 600 }));

test('numbers are read as they were written, one after the other', () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const text = numbers.map(toDigits).join('');
      expect(JSON.stringify(text)).toBe(`"${text}"`);
      const reader = new DigitReader();
      reader.open(text);
      const read: number[] = [];
      while (!reader.isAtEnd) read.push(reader.take());
      expect(read).toEqual(numbers.map((one) => one + 0));
    }),
  );
});

test('a text that ends within a number is refused', () => {
  const reader = new DigitReader();
  reader.open(toDigits(1_000).slice(0, -1));
  expect(() => reader.take()).toThrow('outside');
});
