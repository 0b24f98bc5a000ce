import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { peek, unpack } from '../../../storage/unpack.ts';

export const LINE_MAX_CHARACTERS = 256 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** A line of JSON as text, or the cells of a row of CSV by their column. */
export type ExportedRecord = string | Record<string, string>;

/** The lines of a text; of one that is too long only the beginning, so that none fills memory. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line: Uint8Array[] = [];
  let bytes = 0;
  const add = (part: Uint8Array) => {
    // One byte more than a line may have characters: it shows that there was more.
    if (bytes <= LINE_MAX_CHARACTERS) line.push(part.subarray(0, LINE_MAX_CHARACTERS + 1 - bytes));
    bytes += part.byteLength;
  };
  const end = () => {
    const text = decoder.decode(Buffer.concat(line));
    line = [];
    bytes = 0;
    return text;
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

async function* rowsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, string>> {
  const rows = parse({
    bom: true,
    columns: true,
    max_record_size: LINE_MAX_CHARACTERS,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(pieces);
  source.on('error', (cause) => rows.destroy(cause));
  yield* source.pipe(rows);
}

/** JSON lines begin with a brace; what begins otherwise is CSV with a header. */
async function* recordsOfText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ExportedRecord> {
  const peeked = await peek(pieces);
  if (!peeked) return;
  const { first, all } = peeked;
  const start = new TextDecoder().decode(first.subarray(0, 1_024));
  const isCsv = /^[^{[]*,/.test(start.replace(BYTE_ORDER_MARK, '').trimStart());
  yield* isCsv ? rowsOf(all) : linesOf(all);
}

/** The records of an export, one at a time: of a file, gzipped or not, or of all files of a ZIP. */
export async function* recordsOf(path: string): AsyncGenerator<ExportedRecord> {
  for await (const { pieces } of unpack(path)) yield* recordsOfText(pieces);
}
