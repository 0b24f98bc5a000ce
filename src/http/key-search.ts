import { gunzipped } from '../storage/unpack.ts';
import { FORM, SMALL_BYTES } from './intake-body.ts';

type Pieces = AsyncIterable<Uint8Array>;

const BASE64_CHARACTERS = 4;
const GROWTH = 4;
/** Other kinds get a hint. */
const KEY = /sv[pkf]_[\w-]{1,252}/g;

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('Z_');

/** Takes `joined` pieces; ends where gzip is damaged. */
async function* unpacked(pieces: Pieces): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of gunzipped(pieces)) {
      for (let start = 0; start < piece.length; start += SMALL_BYTES) {
        yield piece.subarray(start, start + SMALL_BYTES);
      }
    }
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
  }
}

const keysIn = (text: string): string[] =>
  (text.includes('\\u00') ? text.replaceAll(/\\u00([\da-f]{2})/gi, fromHex) : text).match(KEY) ??
  [];

/** A cut field has any phase. */
function keysInField(text: string, isCut: boolean): string[] {
  const end = text.indexOf('&');
  const field = end === -1 ? text : text.slice(0, end);
  const base64 = new URLSearchParams(isCut ? FORM + field : field).get('data') ?? '';
  const phases = Array.from({ length: isCut ? BASE64_CHARACTERS : 1 }, (_, start) => start);
  return phases.flatMap((start) =>
    keysIn(Buffer.from(base64.slice(start).replaceAll(' ', '+'), 'base64').toString('latin1')),
  );
}

class Window {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** Leaves at least the last 64 KB. */
  trim(): void {
    for (let first = this.#pieces[0]; first; first = this.#pieces[0]) {
      if (this.#bytes - first.length < SMALL_BYTES) break;
      this.#bytes -= first.length;
      this.#pieces.shift();
    }
  }

  joined = (): Buffer => Buffer.concat(this.#pieces);
}

/** Candidates in the first and the last 64 KB; the start is searched as it grows. */
export async function* findKeys(
  pieces: Pieces,
  check: (bytes: number) => void,
): AsyncGenerator<string[]> {
  const window = new Window();
  let [bytes, nextBytes, isForm] = [0, 1, false];
  const inStart = (): string[] => {
    const text = window.joined().toString('latin1', 0, SMALL_BYTES);
    isForm = text.startsWith(FORM);
    return isForm ? keysInField(text, false) : keysIn(text);
  };
  for await (const piece of unpacked(pieces)) {
    window.add(piece);
    bytes += piece.length;
    if (bytes >= nextBytes) {
      yield inStart();
      nextBytes = bytes < SMALL_BYTES ? Math.min(GROWTH * bytes, SMALL_BYTES) : Infinity;
    }
    window.trim();
    check(bytes);
  }
  if (bytes <= SMALL_BYTES) return yield inStart();
  const text = window.joined().subarray(-SMALL_BYTES).toString('latin1');
  yield isForm ? keysInField(text, true) : keysIn(text);
}
