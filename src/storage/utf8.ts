import { isUtf8 } from 'node:buffer';
import { AppError } from '../shared/errors.ts';

const NEWLINE = 0x0a;

/** Length of an incomplete character at the end. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function* splitLines(bytes: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
    yield bytes.subarray(from, at);
    from = at + 1;
  }
  yield bytes.subarray(from);
}

function damaged(name: string, line: number): AppError {
  return new AppError('invalid_input', `${name}, line ${line}: it is not UTF-8.`, {
    hint: 'Export the file again as UTF-8; a changed character would change an id.',
  });
}

/** Throws `invalid_input` at the first line that is not. */
export async function* utf8Only(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  let line = 1;
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes));
    const isDamaged = !isUtf8(whole);
    for (const each of splitLines(whole)) {
      if (isDamaged && !isUtf8(each)) throw damaged(name, line);
      line += 1;
    }
    line -= 1;
    rest = bytes.subarray(whole.length);
    yield piece;
  }
  if (rest.length > 0) throw damaged(name, line);
}
