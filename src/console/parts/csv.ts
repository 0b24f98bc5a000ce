export type Cell = string | number | null;

/** Also as full-width signs, which spreadsheets read as the plain ones. */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * Spreadsheets run a cell that begins like a formula, and some begin one behind a semicolon or tab; a
 * quote in front keeps it a text.
 */
function csvCell(cell: Cell): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return String(cell);
  return `"${cell.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;
}

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
