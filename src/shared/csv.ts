const NUMBER = /^-?\d+(\.\d+)?$/;

/** Includes full-width signs, which spreadsheets accept. */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** RFC 4180, without formulas (CSV injection). */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number' || NUMBER.test(value)) return String(value);
  return `"${value.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;
}
