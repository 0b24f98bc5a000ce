import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { parseDecimal } from '../../shared/money.ts';
import { PlayReportError } from './report.ts';

const ROWS_MAX = 10_000_000;
const ROW_MAX_CHARACTERS = 256 * 1024;
/** Above any real row, yet exact in minor units. */
const AMOUNT_MAX = 1e12;

export type Cells = {
  line: number;
  /** Trimmed; the first of the names that the header has, empty where it has none. */
  cell: (...names: string[]) => string;
};

/** Case and spaces vary between reports: "Product id", "Package ID". */
const keyOf = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');

const BYTE_ORDER_MARK = '\uFEFF';
const isUtf16 = (first: Uint8Array) => first[0] === 0xff && first[1] === 0xfe;

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const piece of pieces) {
    if (piece.byteLength === 0) continue;
    decoder ??= new TextDecoder(isUtf16(piece) ? 'utf-16le' : 'utf-8', { fatal: true });
    yield decoder.decode(piece, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

function checkHeader(header: readonly string[], required: readonly (readonly string[])[]): void {
  const names = new Set(header);
  const missing = required.filter((some) => !some.some((name) => names.has(keyOf(name))));
  if (missing.length === 0) return;
  const columns = missing.map(([name]) => name).join(', ');
  throw new PlayReportError(`The report lacks the columns ${columns}.`);
}

/**
 * Rows of a CSV in UTF-16LE or UTF-8. `required`: for each column the names it is known by. Throws
 * `PlayReportError`.
 */
export async function* readTable(
  pieces: AsyncIterable<Uint8Array>,
  required: readonly (readonly string[])[],
): AsyncGenerator<Cells> {
  const rows = parse({
    columns: (header: string[]) => {
      const keys = header.map((name) => keyOf(name.replace(BYTE_ORDER_MARK, '')));
      checkHeader(keys, required);
      return keys;
    },
    max_record_size: ROW_MAX_CHARACTERS,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(decoded(pieces));
  source.on('error', (cause) => rows.destroy(cause));
  source.pipe(rows);
  let line = 1;
  try {
    for await (const row of rows) {
      line += 1;
      if (line > ROWS_MAX) throw new PlayReportError(`Over ${ROWS_MAX} rows in one file.`);
      const cells: Readonly<Record<string, string | undefined>> = row;
      const cell = (...names: string[]) =>
        names
          .map((name) => cells[keyOf(name)])
          .find((text) => text !== undefined)
          ?.trim() ?? '';
      yield { line, cell };
    }
  } catch (thrown) {
    if (thrown instanceof PlayReportError) throw thrown;
    throw new PlayReportError('The report is no table that can be read.', { cause: thrown });
  } finally {
    source.destroy();
  }
}

export const unreadable = ({ line }: Cells, problem: string) =>
  new PlayReportError(`Line ${line}: ${problem}.`);

/** Zero for an empty cell; thousands are separated by commas. */
export function amountOf(row: Cells, ...names: string[]): string {
  let amount: string | null;
  try {
    amount = parseDecimal(row.cell(...names));
  } catch {
    throw unreadable(row, `${names[0]} is not a decimal number`);
  }
  if (Math.abs(Number(amount ?? 0)) > AMOUNT_MAX) {
    throw unreadable(row, `${names[0]} is out of range`);
  }
  return amount ?? '0';
}

/** Empty for a zero amount without currency. */
export function currencyOf(row: Cells, amount: string, ...names: string[]): string {
  const code = row.cell(...names).toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  if (amount === '0') return '';
  throw unreadable(row, `${names[0]} is not a currency`);
}

/** Empty where Google withholds it, such as of few installs. */
export function countryOf(row: Cells, ...names: string[]): string {
  const code = row.cell(...names).toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? code : '';
}
