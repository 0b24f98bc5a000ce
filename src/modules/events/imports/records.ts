import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { AppError } from '../../../shared/errors.ts';
import { type ExportedFile, peek, unpack } from '../../../storage/unpack.ts';
import { utf8Only } from '../../../storage/utf8.ts';

export const LINE_MAX_CHARACTERS = 256 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** A replacement character would change an id. */
const NOT_UTF8 = Symbol('it is not UTF-8');
const TOO_MANY_CELLS = Symbol('it has more cells than the table has columns');

/** A JSON line as text, CSV cells by column, or why neither. */
export type ExportedRecord = string | Record<string, string> | symbol;

/** No line fills memory. */
async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string | symbol> {
  const decoder = new TextDecoder();
  let line: Uint8Array[] = [];
  let bytes = 0;
  const add = (part: Uint8Array) => {
    if (bytes <= LINE_MAX_CHARACTERS) line.push(part.subarray(0, LINE_MAX_CHARACTERS + 1 - bytes));
    bytes += part.byteLength;
  };
  const end = () => {
    const whole = Buffer.concat(line);
    const isCut = bytes > whole.length;
    line = [];
    bytes = 0;
    // A cut may split a character: latin1 keeps the length.
    if (isCut) return whole.toString('latin1');
    return isUtf8(whole) ? decoder.decode(whole) : NOT_UTF8;
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      add(piece.subarray(from, at));
      yield end();
      from = at + 1;
    }
    add(piece.subarray(from));
  }
  if (bytes > 0) yield end();
}

/** A warehouse may write all of them in capitals. */
const toColumns = (header: string[]): string[] =>
  header.some((name) => name !== name.toUpperCase())
    ? header
    : header.map((name) => name.toLowerCase());

async function* readRows(
  pieces: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<Record<string, string> | symbol> {
  const rows = parse({
    bom: true,
    columns: toColumns,
    delimiter,
    max_record_size: LINE_MAX_CHARACTERS,
    on_record: (row: Record<string, string>, { error }) =>
      Array.isArray(error?.record) && error.record.length > Object.keys(row).length
        ? TOO_MANY_CELLS
        : row,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(pieces);
  source.on('error', (cause) => rows.destroy(cause));
  yield* source.pipe(rows);
}

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^PAR1/, 'is a Parquet file'],
  [/^Obj\p{Cc}/u, 'is an Avro file'],
  [/^\(\u00B5\u002F\u00FD/, 'is compressed by zstd'],
  [/^\u00FD7zXZ/, 'is compressed by xz'],
  [/^BZh/, 'is compressed by bzip2'],
  [/^(\u00FF\u00FE|\u00FE\u00FF)/, 'is UTF-16'],
  [/(?![\s\u0080-\u009F])\p{Cc}/u, 'is no text (is it compressed by brotli?)'],
];
const NEEDED = 'Export JSON lines or CSV as UTF-8 text: plain, as .gz or in a .zip.';

function checkText(name: string, first: Uint8Array): void {
  const start = Buffer.from(first.subarray(0, 1_024)).toString('latin1');
  const form = FORMS.find(([magic]) => magic.test(start));
  if (form) throw new AppError('invalid_input', `${name} ${form[1]}.`, { hint: NEEDED });
  if (/^(\u00EF\u00BB\u00BF)?\s*(\[|\{\s*\n)/.test(start)) {
    const message = `${name} is JSON, but not an event a line.`;
    const hint = `Write one a line: jq -c 'if type == "array" then .[] else . end' FILE > lines.json`;
    throw new AppError('invalid_input', message, { hint });
  }
}

/** A leading brace means JSON lines, else CSV. */
async function* recordsOfText({ name, pieces }: ExportedFile): AsyncGenerator<ExportedRecord> {
  const peeked = await peek(pieces);
  if (!peeked) return;
  const { first, all } = peeked;
  checkText(name, first);
  const start = new TextDecoder().decode(first.subarray(0, 1_024));
  const header = start.replace(BYTE_ORDER_MARK, '').trimStart();
  const [, delimiter] = /^[^{[,;\t]*([,;\t])/.exec(header) ?? [];
  yield* delimiter === undefined ? readLines(all) : readRows(utf8Only(name, all), delimiter);
}

/** Plain, gzipped or every file of a ZIP. */
export async function* readRecords(path: string): AsyncGenerator<ExportedRecord> {
  for await (const file of unpack(path)) yield* recordsOfText(file);
}
