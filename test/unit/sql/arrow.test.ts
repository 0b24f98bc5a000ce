import { expect, test } from 'bun:test';
import { tableFromIPC } from 'apache-arrow';
import { answerArrow } from '../../../src/modules/sql/arrow.ts';

const column = (name: string, type: string) => ({ name, type });

test('an answer as Arrow has its columns in order, typed where every value fits', () => {
  const columns = [
    column('name', 'VARCHAR'),
    column('1', 'BIGINT'),
    column('share', 'DOUBLE'),
    column('at', 'TIMESTAMP WITH TIME ZONE'),
    column('day', 'DATE'),
    column('ok', 'BOOLEAN'),
    column('list', 'INTEGER[]'),
    column('price', 'DECIMAL(9,2)'),
    column('odd', 'DOUBLE'),
  ];
  const full = [
    ...['x', 1, 1.5, '2026-01-02T03:04:05.123456Z', '2026-01-02', true, [1, 2], '1.50', 'Infinity'],
  ];
  const table = tableFromIPC(answerArrow({ columns, rows: [full, columns.map(() => null)] }));
  expect(table.schema.fields.map(String)).toEqual([
    ...['name: Utf8', '1: Int64', 'share: Float64', 'at: Timestamp<MICROSECOND, UTC>'],
    ...['day: Date32<DAY>', 'ok: Bool', 'list: Utf8', 'price: Utf8', 'odd: Utf8'],
  ]);
  expect(table.getChild('at')?.data[0]?.values[0]).toBe(1_767_323_045_123_456n);
  expect(table.getChild('day')?.data[0]?.values[0]).toBe(20_455);
  const cells = (row: number) =>
    table.schema.fields.map(({ name }) => table.getChild(name)?.get(row));
  expect(cells(0)).toEqual([
    ...['x', 1n, 1.5, 1_767_323_045_123.456, 1_767_312_000_000, true, '[1,2]', '1.50', 'Infinity'],
  ]);
  expect(cells(1)).toEqual(columns.map(() => null));
});

test('an answer without a row, or of many, is one batch', () => {
  const columns = [column('n', 'BIGINT'), column('t', 'VARCHAR'), column('at', 'TIMESTAMP')];
  expect(tableFromIPC(answerArrow({ columns, rows: [] })).numRows).toBe(0);
  const rows = Array.from({ length: 10_000 }, (_, n) => [n, `text ${n}`, '2026-01-02 03:04:05']);
  const table = tableFromIPC(answerArrow({ columns, rows }));
  expect([table.numRows, table.batches.length]).toEqual([10_000, 1]);
  expect(table.getChild('t')?.get(9_999)).toBe('text 9999');
});
