/** A report that cannot be read: its shape is not the one that this service knows. */
export class ReportFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReportFormatError';
  }
}

const ROWS_MAX = 250_000;

export type ReportTable = {
  has: (column: string) => boolean;
  rows: ReportRow[];
};

export type ReportRow = {
  /** 1 for the first line after the header. */
  line: number;
  /** The trimmed cell; empty when the column or the cell is missing. */
  cell: (column: string) => string;
};

/** Capitals, hyphens and spaces of headers vary between report versions. */
function columnKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}

/**
 * Reads a tab-separated report by the names in its header, never by position. Columns that nobody
 * asks for are ignored; footer lines (`Total…`) and empty lines are dropped. Cells are not quoted.
 */
export function parseTable(text: string, required: readonly string[]): ReportTable {
  if (text.includes('\u0000')) throw new ReportFormatError('The report holds NUL characters.');
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = lines[0]?.split('\t') ?? [];
  const position = new Map(header.map((name, index) => [columnKey(name), index]));
  const missing = required.filter((name) => !position.has(columnKey(name)));
  if (missing.length > 0) {
    throw new ReportFormatError(`The report lacks the columns ${missing.join(', ')}.`);
  }
  const rows: ReportRow[] = [];
  for (let line = 1; line < lines.length; line += 1) {
    const source = lines[line] ?? '';
    if (source.trim() === '' || /^total/i.test(source)) continue;
    if (rows.length >= ROWS_MAX) throw new ReportFormatError(`Over ${ROWS_MAX} rows in one day.`);
    const cells = source.split('\t');
    rows.push({
      line,
      cell: (column) => cells[position.get(columnKey(column)) ?? -1]?.trim() ?? '',
    });
  }
  return { has: (column) => position.has(columnKey(column)), rows };
}

/** `MM/DD/YYYY`, also `YYYY-MM-DD`, as `YYYY-MM-DD`; null when it is neither. */
export function reportDay(text: string): string | null {
  const american = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (american) return `${american[3]}-${american[1]}-${american[2]}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
}
