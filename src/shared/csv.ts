const NUMBER = /^-?\d+(\.\d+)?$/;

/** Includes full-width signs, which spreadsheets accept. */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

export type Cell = string | number | null;

/** RFC 4180, without formulas (CSV injection). */
export function csvCell(value: Cell): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number' || NUMBER.test(value)) return String(value);
  return `"${value.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly Cell[]): string => cells.map(csvCell).join(',');

export const csvTable = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns.join(','), ...rows.map(csvLine), ''].join('\r\n');
