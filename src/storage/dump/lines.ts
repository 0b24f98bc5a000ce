import { Transform } from 'node:stream';

const NEWLINE = 0x0a;

/**
 * Passes COPY's text format on and counts its rows: one line each, newlines inside a value are
 * escaped.
 */
export class RowCounter extends Transform {
  rows = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, out: Buffer) => void) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.rows += 1;
    }
    done(null, chunk);
  }
}
