import { csvCell } from '../../shared/csv.ts';

export type Cell = string | number | null;

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
