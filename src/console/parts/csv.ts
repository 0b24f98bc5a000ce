import { type Cell, csvLine } from '../../shared/csv.ts';

export type { Cell };

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${csvLine(row)}\r\n`).join('');
}
