import { AppError } from '../shared/errors.ts';

export const MAX_BODY_BYTES = 64 * 1024;

function tooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is larger than 64 KB.', {
    hint: `body: at most ${MAX_BODY_BYTES} bytes`,
  });
}

export const isOfType = (type: string, contentType: string | null): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === type;

function damagedField(bytes: Uint8Array): string {
  const lossy = new TextDecoder().decode(bytes);
  return /"([^"\\]{1,64})"\s*:\s*"[^"]*\uFFFD/.exec(lossy)?.[1] ?? 'body';
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_json', 'The request body is not UTF-8.', {
      hint: `${damagedField(bytes)}: must be UTF-8`,
      cause,
    });
  }
}

const PIECE_BYTES = 4 * 1024;
/** Enough to recognize gzip. */
const MAGIC_BYTES = 2;

/** Each piece takes memory of its own, however short. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const short = Buffer.alloc(PIECE_BYTES);
  let bytes = 0;
  for await (const piece of pieces) {
    if (bytes + piece.length < PIECE_BYTES) {
      short.set(piece, bytes);
      bytes += piece.length;
    } else if (bytes < MAGIC_BYTES) {
      yield bytes === 0 ? piece : Buffer.concat([short.subarray(0, bytes), piece]);
      bytes = 0;
    } else {
      yield Buffer.from(short.subarray(0, bytes));
      yield piece;
      bytes = 0;
    }
  }
  if (bytes > 0) yield short.subarray(0, bytes);
}

/** Ignores the declared length. */
export async function readBounded(
  { body }: Pick<Request, 'body'>,
  maxBytes = MAX_BODY_BYTES,
  refusal = tooLarge,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body === null ? [] : joined(body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw refusal();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Making a stream slows the read. */
export function hasNoBody(request: Request): boolean {
  const declared = request.headers.get('content-length');
  return declared === '0' || (declared === null && request.body === null);
}

/** At most. */
export function expectedBytes(request: Request): number {
  if (hasNoBody(request)) return 0;
  const declared = Number(request.headers.get('content-length') ?? MAX_BODY_BYTES);
  return Math.min(declared, MAX_BODY_BYTES);
}

/** Throws 413 over 64 KB, 415 unless JSON, 400 for invalid UTF-8. */
export async function readBody(request: Request): Promise<string> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) throw tooLarge();
  if (hasNoBody(request)) return '';
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'The request body must not be compressed.', {
      hint: 'Send the JSON as it is, without Content-Encoding.',
    });
  }
  const jsonType = isOfType('application/json', request.headers.get('content-type'));
  const bytes = declared === null ? await readBounded(request) : await request.bytes();
  if (bytes.length > 0 && !jsonType) {
    throw new AppError('unsupported_media_type', 'The request body must be JSON.', {
      hint: 'Send the header Content-Type: application/json.',
    });
  }
  return decodeText(bytes);
}

export async function skipBody(request: Request): Promise<''> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) throw tooLarge();
  await readBounded(request);
  return '';
}

const FORM = 'application/x-www-form-urlencoded';

export async function readForm(request: Request): Promise<string> {
  if (!isOfType(FORM, request.headers.get('content-type'))) return readBody(request);
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) throw tooLarge();
  return decodeText(await readBounded(request));
}

export const parseForm = (text: string): unknown =>
  text === '' || text.startsWith('{')
    ? parseJson(text)
    : Object.fromEntries(new URLSearchParams(text));

export function malformedJson(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('malformed_json', 'The request body is not valid JSON.', { cause });
}

/** Undefined for an empty body; throws `malformed_json`. */
export function parseJson(text: string, parse: (json: string) => unknown = JSON.parse): unknown {
  if (text === '') return undefined;
  try {
    return parse(text);
  } catch (cause) {
    throw malformedJson(cause);
  }
}
