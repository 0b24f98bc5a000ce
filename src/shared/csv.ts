const NUMBER = /^-?\d+(\.\d+)?$/;

/** Also as full-width signs, which spreadsheets read as the plain ones. */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * A cell of RFC 4180; text that a spreadsheet would take for a formula is shown as text, also behind
 * a semicolon or tab, where some spreadsheets begin a cell.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number' || NUMBER.test(value)) return String(value);
  return `"${value.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;
}
