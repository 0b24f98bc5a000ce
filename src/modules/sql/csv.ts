import { csvLine } from '../../shared/csv.ts';
import type { SqlAnswer } from './model.ts';

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function answerCsv({ columns, rows }: Pick<SqlAnswer, 'columns' | 'rows'>): string {
  return [columns.map(({ name }) => name), ...rows.map((row) => row.map(toCell))]
    .map((row) => `${csvLine(row)}\r\n`)
    .join('');
}
