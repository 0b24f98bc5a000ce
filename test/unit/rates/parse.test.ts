import { describe, expect, test } from 'bun:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { unpackRates } from '../../../src/modules/sales/rates/import.ts';
import { parseRates, RatesFormatError } from '../../../src/modules/sales/rates/parse.ts';

const CSV = `Date,USD,JPY,BGN,\n2026-03-06,1.0841,160.12,N/A,\n2026-03-05,1.0800,159.9,1.9558,\n`;

/** A ZIP archive of one file, as the central bank's, without the parts that are not read. */
function zip(content: string, method: 0 | 8): Buffer {
  const data = method === 8 ? deflateRawSync(content) : Buffer.from(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt16LE('a.csv'.length, 26);
  return Buffer.concat([header, Buffer.from('a.csv'), data, Buffer.from('PK\u0001\u0002rest')]);
}

describe('the history file', () => {
  test('every quoted rate, as written', () => {
    expect(parseRates(CSV)).toEqual([
      { day: '2026-03-06', currency: 'USD', rate: '1.0841' },
      { day: '2026-03-06', currency: 'JPY', rate: '160.12' },
      { day: '2026-03-05', currency: 'USD', rate: '1.0800' },
      { day: '2026-03-05', currency: 'JPY', rate: '159.9' },
      { day: '2026-03-05', currency: 'BGN', rate: '1.9558' },
    ]);
  });

  test('carriage returns, spaces and a byte-order mark do not matter', () => {
    const other = `\uFEFF${CSV.replaceAll(',', ', ').replaceAll('\n', '\r\n')}`;
    expect(parseRates(other)).toEqual(parseRates(CSV));
  });

  test.each([
    ['<html>', 'Date'],
    ['Day,USD\n', 'Date'],
    ['Date,DOLLAR\n', 'DOLLAR'],
    ['Date,USD\n6 March 2026,1.08\n', 'not a day'],
    ['Date,USD\n2026-02-30,1.08\n', 'not a day'],
    ['Date,USD\n2026-03-06,-1.08\n', 'no rate'],
    ['Date,USD\n2026-03-06,0\n', 'no rate'],
    ['Date,USD\n2026-03-06,1.0.8\n', 'no rate'],
    ['Date,USD\n2026-03-06,1e3\n', 'no rate'],
  ])('%p is refused whole', (text, why) => {
    expect(() => parseRates(text)).toThrow(RatesFormatError);
    expect(() => parseRates(text)).toThrow(why);
  });
});

describe('packed files', () => {
  test('plain, gzip and both kinds of ZIP read the same', () => {
    for (const file of [Buffer.from(CSV), gzipSync(CSV), zip(CSV, 8), zip(CSV, 0)]) {
      expect(unpackRates(file)).toBe(CSV);
    }
  });

  test('a broken archive is told as such', () => {
    expect(() => unpackRates(gzipSync(CSV).subarray(0, 20))).toThrow(RatesFormatError);
    expect(() => unpackRates(zip(CSV, 8).subarray(0, 20))).toThrow(RatesFormatError);
  });
});

describe('the pinned snapshot', () => {
  test('is whole and spans the days that its page says', async () => {
    const path = new URL(
      '../../../src/modules/sales/rates/data/ecb-reference-rates.csv.gz',
      import.meta.url,
    );
    const rates = parseRates(unpackRates(await Bun.file(path).bytes()));
    const days = new Set(rates.map(({ day }) => day));
    expect([...days].toSorted().at(0)).toBe('2023-01-02');
    expect([...days].toSorted().at(-1)).toBe('2026-07-21');
    expect(days.size).toBe(906);
    expect(rates.filter(({ day }) => day === '2026-07-21')).toHaveLength(29);
  });
});
