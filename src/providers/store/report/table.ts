import { ReportFormatError } from '../port.ts';

const ROWS_MAX = 250_000;
/** Above any report line; longer text is no report. */
const LINE_MAX_CHARACTERS = 1024 * 1024;

export type ReportRow = {
  line: number;
  /** Trimmed; empty when missing. */
  cell: (column: string) => string;
};

export type PieceReader<T> = {
  push: (piece: string) => T[];
  /** The last line, and errors of the report as a whole. */
  end: () => T[];
};

/** Case, hyphens and spaces vary between report versions. */
function columnKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}

function columnFinder(header: string, required: readonly string[]): (column: string) => number {
  const names = header.replace(/^\uFEFF/, '').split('\t');
  const position = new Map(names.map((name, index) => [columnKey(name), index]));
  const missing = required.filter((name) => !position.has(columnKey(name)));
  if (missing.length > 0) {
    throw new ReportFormatError(`The report lacks the columns ${missing.join(', ')}.`);
  }
  const resolved = new Map<string, number>();
  return (column) => {
    let index = resolved.get(column);
    if (index === undefined) {
      index = position.get(columnKey(column)) ?? -1;
      resolved.set(column, index);
    }
    return index;
  };
}

/** Skips footers (`Total…`), empty and meaningless rows. */
export function tableReader<T>(
  required: readonly string[],
  meaning: (row: ReportRow) => T | null,
): PieceReader<T> {
  let columns: ((column: string) => number) | null = null;
  let rest = '';
  let lines = 0;
  let rows = 0;
  const parseRow = (source: string): T | null => {
    if (columns === null) {
      columns = columnFinder(source, required);
      return null;
    }
    const at = columns;
    lines += 1;
    if (source.trim() === '' || /^total/i.test(source)) return null;
    rows += 1;
    if (rows > ROWS_MAX) throw new ReportFormatError(`Over ${ROWS_MAX} rows in one day.`);
    const cells = source.split('\t');
    return meaning({ line: lines, cell: (column) => cells[at(column)]?.trim() ?? '' });
  };
  const readRows = (sources: readonly string[]): T[] =>
    sources.map(parseRow).filter((value): value is T & {} => value !== null);
  return {
    push: (piece) => {
      if (piece.includes('\u0000')) throw new ReportFormatError('The report holds NUL characters.');
      // A trailing CR may belong to an LF in the next chunk.
      const whole = (rest + piece).split('\n');
      rest = whole.pop() ?? '';
      if (rest.length > LINE_MAX_CHARACTERS) {
        throw new ReportFormatError('The report has a line without an end.');
      }
      return readRows(whole.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)));
    },
    end: () => {
      const last = rest;
      rest = '';
      return readRows([last]);
    },
  };
}

export const unreadable = (row: ReportRow, problem: string) =>
  new ReportFormatError(`Line ${row.line}: ${problem}.`);

/** Throws ReportFormatError for a row of another day. */
export function checkDay(row: ReportRow, column: string, day: string): void {
  if (reportDay(row.cell(column)) !== day) throw unreadable(row, `the row is not for ${day}`);
}

/** `MM/DD/YYYY` or `YYYY-MM-DD`, else null. */
export function reportDay(text: string): string | null {
  const american = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (american) return `${american[3]}-${american[1]}-${american[2]}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
}
