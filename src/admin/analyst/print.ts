import type { Json } from '@duckdb/node-api';
import { csvLine } from '../../shared/csv.ts';
import { table } from '../table.ts';
import type { Answer } from './ask.ts';

export const FORMATS = ['table', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

const MAX_CELL = 60;

function plain(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function shortened(value: Json): string {
  const text = value === null ? 'NULL' : plain(value).replaceAll(/\s+/g, ' ');
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

function asTable({ columns, rows, isCut }: Answer): string {
  const cells = rows.map((row) => row.map(shortened));
  const count = `${rows.length}${isCut ? ' and more' : ''} ${rows.length === 1 ? 'row' : 'rows'}`;
  return `${table(columns, cells)}\n(${count})`;
}

export function printAnswer(answer: Answer, format: Format): string {
  const { columns, rows } = answer;
  switch (format) {
    case 'table':
      return asTable(answer);
    case 'csv':
      return [columns, ...rows.map((row) => row.map(plain))]
        .map((row) => csvLine(row))
        .join('\r\n');
    case 'json':
      return rows
        .map((row) => JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]]))))
        .join('\n');
  }
}
