import { parseDecimal } from '../../../shared/money.ts';
import { type ReportRow, unreadable } from './table.ts';

/** Above any real row, yet exact in minor units. */
const AMOUNT_MAX = 1e12;
const COUNT_MAX = 1_000_000_000;

/** An absurd amount would spoil every sum. */
export function bounded(row: ReportRow, column: string, amount: string): string {
  if (Math.abs(Number(amount)) <= AMOUNT_MAX) return amount;
  throw unreadable(row, `${column} is out of range`);
}

export function decimal(row: ReportRow, column: string): string | null {
  try {
    return parseDecimal(row.cell(column));
  } catch {
    throw unreadable(row, `${column} is not a decimal number`);
  }
}

/** Empty for a zero amount without currency. */
export function currency(row: ReportRow, column: string, amount: string): string {
  const code = row.cell(column).toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  if (amount === '0') return '';
  throw unreadable(row, `${column} is not a currency`);
}

export function count(row: ReportRow, column: string): number {
  const cell = row.cell(column);
  const text = /^[\d,.]+$/.test(cell) ? decimal(row, column) : null;
  const value = Number(text);
  if (text === null || !Number.isInteger(value) || value > COUNT_MAX) {
    throw unreadable(row, `${column} is not a count`);
  }
  return value;
}
