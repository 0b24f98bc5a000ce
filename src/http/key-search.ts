import { gunzipped, peek } from '../storage/unpack.ts';
import { FORM, isGzip } from './intake-body.ts';

type Pieces = AsyncIterable<Uint8Array>;

const ESCAPE_CHARACTERS = 3;
const BASE64_CHARACTERS = 4;
/** Other kinds get a hint. */
const KEY = /sv[pkf]_[\w-]{1,252}/g;
/** A key, fully escaped. */
const TAIL_CHARACTERS = 400;

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** Joins short pieces at the start. */
async function* withHead(pieces: Pieces, bytes: number): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const piece of pieces) {
    if (head === null) yield piece;
    else {
      head = head.length === 0 ? piece : Buffer.concat([head, piece]);
      if (head.length < bytes) continue;
      yield head;
      head = null;
    }
  }
  if (head !== null) yield head;
}

const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('Z_');

/** Ends where gzip is damaged. */
async function* unpacked(pieces: Pieces): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipped(pieces);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
  }
}

const isForm = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, FORM.length)) === FORM;

/** Decodes the first field of a form. */
async function* formless(pieces: Pieces): AsyncGenerator<Uint8Array> {
  const sent = await peek(withHead(pieces, FORM.length));
  if (sent === null) return;
  if (!isForm(sent.first)) return yield* sent.all;
  let [field, base64] = ['', ''];
  let skipped = FORM.length;
  for await (const piece of sent.all) {
    const text = latin1(piece).slice(skipped);
    skipped = 0;
    const end = text.indexOf('&');
    field += end === -1 ? text : text.slice(0, end);
    const open = field.indexOf('%', field.length - ESCAPE_CHARACTERS + 1);
    const whole = open === -1 ? field.length : open;
    const plain = field.slice(0, whole).replaceAll(/%([\da-f]{2})/gi, fromHex);
    base64 += plain.replaceAll(' ', '+').replaceAll(/[^\w+/-]/g, '');
    field = field.slice(whole);
    const decoded = base64.length - (base64.length % BASE64_CHARACTERS);
    yield Buffer.from(base64.slice(0, decoded), 'base64');
    base64 = base64.slice(decoded);
    if (end !== -1) break;
  }
  yield Buffer.from(base64, 'base64');
}

const unescaped = (text: string): string =>
  text.includes('\\u00') ? text.replaceAll(/\\u00([\da-f]{2})/gi, fromHex) : text;

/** Candidates anywhere in the body. */
export async function* findKeys(
  pieces: Pieces,
  check: (bytes: number) => void,
): AsyncGenerator<string> {
  const sent = await peek(withHead(pieces, FORM.length));
  if (sent === null) return;
  const isPlain = !isGzip(sent.first) && !isForm(sent.first);
  let bytes = 0;
  let tail = '';
  for await (const piece of isPlain ? sent.all : formless(unpacked(sent.all))) {
    const text = tail + latin1(piece);
    for (const [key] of unescaped(text).matchAll(KEY)) yield key;
    tail = text.slice(-TAIL_CHARACTERS);
    bytes += piece.length;
    check(bytes);
  }
}
