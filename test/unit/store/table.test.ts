import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ReportFormatError, StoreFault } from '../../../src/providers/store/port.ts';
import { reportPieces } from '../../../src/providers/store/report/open-report.ts';
import { reportDay, tableReader } from '../../../src/providers/store/report/table.ts';
import { readWhole, textOfReport } from '../../support/reports.ts';

const TEXT = '\uFEFFSKU\tUnits\r\nä1\t1\r\n\r\nb 2\t2\nTotal\t3\nc3\t 3 \r\nd4\t4';
const ROWS = [
  [1, 'ä1', '1'],
  [3, 'b 2', '2'],
  [5, 'c3', '3'],
  [6, 'd4', '4'],
];
const skuReader = () => tableReader(['SKU'], (row) => row);
const valuesOf = (rows: { line: number; cell: (column: string) => string }[]) =>
  rows.map((row) => [row.line, row.cell('SKU'), row.cell('units')]);

describe('a report that comes in pieces', () => {
  test('reads as in one', () => {
    expect(valuesOf(readWhole(skuReader(), TEXT))).toEqual(ROWS);
  });

  test('wherever it is cut', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: TEXT.length }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, (places) => {
        const reader = skuReader();
        const edges = [0, ...places.toSorted((a, b) => a - b), TEXT.length];
        const rows = edges.flatMap((edge, at) => reader.push(TEXT.slice(edges[at - 1] ?? 0, edge)));
        expect(valuesOf([...rows, ...reader.end()])).toEqual(ROWS);
      }),
    );
  });

  test('has 250,000 rows at most, and lines of a million characters', () => {
    const reader = skuReader();
    expect(reader.push(`SKU\n${'a\n'.repeat(250_000)}`)).toHaveLength(250_000);
    expect(() => reader.push('a\n')).toThrow(ReportFormatError);
    const long = skuReader();
    long.push('SKU\n');
    expect(long.push('x'.repeat(1024 * 1024))).toEqual([]);
    expect(() => long.push('x')).toThrow(ReportFormatError);
  });

  test('ends once', () => {
    const reader = skuReader();
    reader.push('SKU\nlast');
    expect(valuesOf(reader.end()).length).toBe(1);
    expect(reader.end()).toEqual([]);
  });

  test('an empty one lacks its columns', () => {
    expect(() => readWhole(skuReader(), '')).toThrow('lacks the columns SKU');
  });

  test('a line without an end is no report', () => {
    const reader = skuReader();
    reader.push('SKU\n');
    expect(() => reader.push('x'.repeat(2 * 1024 * 1024))).toThrow(ReportFormatError);
  });
});

describe('packed bodies', () => {
  test('come out as they went in, packed or not', async () => {
    const long = TEXT.repeat(20_000);
    expect(await textOfReport(gzipSync(long))).toBe(long);
    expect(await textOfReport(Buffer.from(TEXT))).toBe(TEXT);
  });

  test('come in pieces of bounded size', async () => {
    let largest = 0;
    for await (const piece of reportPieces(gzipSync('a'.repeat(3_000_000)))) {
      largest = Math.max(largest, piece.byteLength);
    }
    expect(largest).toBeLessThanOrEqual(64 * 1024);
  });

  test('a broken one may work when it is asked for again', async () => {
    const broken = gzipSync(TEXT.repeat(100)).subarray(0, 60);
    const read = textOfReport(broken).catch((thrown: unknown) => thrown);
    expect(await read).toBeInstanceOf(StoreFault);
    expect(await read).toMatchObject({ kind: 'unavailable' });
  });
});

test('days are read as American and as ISO dates, and as nothing else', () => {
  expect(['07/14/2026', '2026-07-14', '14.7.2026', ' 2026-07-14'].map(reportDay)).toEqual([
    '2026-07-14',
    '2026-07-14',
    null,
    null,
  ]);
});
