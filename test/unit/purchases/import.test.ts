import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseImport } from '../../../src/modules/purchases/import/parse-csv.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { isNoId } from '../../../src/shared/identity.ts';

const HEADER = 'userId,originalTransactionId';
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('a file of purchases', () => {
  test('is read line by line, with any line end, quotes and spaces, and empty lines left out', () => {
    const csv = `\uFEFF"UserId", originalTransactionId\r\nu1,100\n\n "a,""b""" , 200 \r u 3,300\n`;
    expect(parseImport(csv)).toEqual([
      { line: 2, userId: 'u1', chainId: '100', isValid: true },
      { line: 4, userId: 'a,"b"', chainId: '200', isValid: true },
      { line: 5, userId: 'u 3', chainId: '300', isValid: true },
    ]);
  });

  test('keeps lines that do not fit, with their number, to be refused', () => {
    const lines = [
      'u1',
      'u1,',
      ',100',
      'u1,100,x',
      'u1,1-0',
      'u\0,1',
      `${'u'.repeat(129)},1`,
      '\uD800,1',
    ];
    const read = parseImport([HEADER, ...lines].join('\n'));
    expect(read.map(({ line, isValid }) => [line, isValid])).toEqual(
      lines.map((_, index) => [index + 2, false]),
    );
    for (const { userId } of read) {
      expect([userId.includes('\0'), userId.isWellFormed(), userId.length <= 128]).toEqual([
        false,
        true,
        true,
      ]);
    }
  });

  test.each(['', 'u1,100', 'user,transaction\nu1,1', `${HEADER}\n\n`])(
    'without the header or any line is refused: %p',
    (csv) => {
      expect(() => parseImport(csv)).toThrow(AppError);
    },
  );

  test('gives back whatever was written into it', () => {
    const user = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((text) => text.length <= 128 && !/[\r\n\0]/.test(text) && !isNoId(text));
    const rows = fc.array(fc.tuple(user, fc.integer({ min: 1 })), { minLength: 1 });
    fc.assert(
      fc.property(rows, (all) => {
        const lines = all.map(([id, transaction]) => `${quoted(id)},${transaction}`);
        const read = parseImport([HEADER, ...lines].join('\n'));
        expect(read.map((one) => [one.userId, one.chainId])).toEqual(
          all.map(([id, transaction]) => [id, String(transaction)]),
        );
      }),
    );
  });
});
