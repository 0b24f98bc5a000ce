import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, invalidInput } from '../shared/errors.ts';
import type { Access } from './access.ts';
import { decodeText, hasNoBody, readBounded } from './body.ts';

const MAX_SENT_BYTES = 1024 * 1024;
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;
/** Batches shrink to a tenth. */
const MAX_RATIO = 200;
export const SMALL_BYTES = 64 * 1024;

const megabytes = (bytes: number) => bytes / 1024 / 1024;

function tooLarge(plainBytes = MAX_SENT_BYTES): AppError {
  const [sent, plain, unpacked] = [MAX_SENT_BYTES, plainBytes, MAX_UNPACKED_BYTES].map(megabytes);
  const asSent = sent === plain ? `${sent} MB as sent` : `${sent} MB as gzip, ${plain} MB as it is`;
  return new AppError('body_too_large', 'The batch is too large.', {
    hint: `body: at most ${asSent}, ${unpacked} MB unpacked`,
  });
}

const tooPacked = () =>
  new AppError('body_too_large', 'The batch is too large.', {
    hint: `body: at most ${MAX_RATIO} times as large unpacked as sent`,
  });

const maxUnpackedBytes = (sentBytes: number): number =>
  Math.min(MAX_UNPACKED_BYTES, SMALL_BYTES + MAX_RATIO * sentBytes);

export function checkUnpacked(unpackedBytes: number, sentBytes: number): void {
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw tooLarge();
  if (unpackedBytes > maxUnpackedBytes(sentBytes)) throw tooPacked();
}

const unzip = promisify(gunzip);

const isTooLong = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > MAX_SENT_BYTES) throw tooLarge();
  const maxOutputLength = maxUnpackedBytes(bytes.length);
  try {
    return await unzip(bytes, { maxOutputLength });
  } catch (cause) {
    if (isTooLong(cause)) throw maxOutputLength < MAX_UNPACKED_BYTES ? tooPacked() : tooLarge();
    throw invalidInput('body', 'must be whole gzip, as its Content-Encoding says');
  }
}

const GZIP_MAGIC = [0x1f, 0x8b];
export const isGzip = (bytes: Uint8Array): boolean =>
  GZIP_MAGIC.every((byte, index) => bytes[index] === byte);

export const FORM = 'data=';

/** JSON in base64, as the field `data` of a form. */
function formless(text: string): string {
  if (!text.startsWith(FORM)) return text;
  const [field = ''] = text.split('&', 1);
  const data = new URLSearchParams(field).get('data') ?? '';
  return decodeText(Buffer.from(data.replaceAll(' ', '+'), 'base64'));
}

export type SentBody = {
  request: Request;
  isPacked: boolean;
  /** Null: undeclared. */
  sentBytes: number | null;
  maxBytes: number;
  tooLarge: () => AppError;
};

/** A client that disconnects is no crash. */
export function endedEarly(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('unavailable', 'The request body ended early; send it again.', { cause });
}

/** Some clients send JSON as a form, or gzip without saying so. */
export function sentBody(request: Request, { takesLongPlain }: Partial<Access> = {}): SentBody {
  const declared = request.headers.get('content-length');
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  const plainBytes = takesLongPlain ? MAX_UNPACKED_BYTES : MAX_SENT_BYTES;
  const maxBytes = encoding === 'gzip' ? MAX_SENT_BYTES : plainBytes;
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(plainBytes);
  if (encoding !== 'identity' && encoding !== 'gzip' && !hasNoBody(request)) {
    throw new AppError('unsupported_media_type', 'The request body is compressed in another way.', {
      hint: 'Send it as gzip, or as it is.',
    });
  }
  return {
    request,
    isPacked: encoding === 'gzip',
    sentBytes: declared === null ? null : Number(declared),
    maxBytes,
    tooLarge: () => tooLarge(plainBytes),
  };
}

async function receive({ request, sentBytes, maxBytes, tooLarge }: SentBody): Promise<Uint8Array> {
  try {
    return await (sentBytes === null ? readBounded(request, maxBytes, tooLarge) : request.bytes());
  } catch (cause) {
    throw endedEarly(cause);
  }
}

const plain = async (bytes: Uint8Array, { isPacked }: SentBody): Promise<Uint8Array> =>
  bytes.length > 0 && (isPacked || isGzip(bytes)) ? unpacked(bytes) : bytes;

export const readIntakeBytes = async (sent: SentBody): Promise<Uint8Array> =>
  plain(await receive(sent), sent);

export const toIntakeText = async (bytes: Uint8Array, sent: SentBody): Promise<string> =>
  formless(decodeText(await plain(bytes, sent)));

/** Gzip, replaced bytes, UTF-16 by length. */
const needsBytes = (text: string, bytes: number): boolean =>
  text.startsWith('\u001f') || text.includes('\ufffd') || Math.floor(bytes / 2) === text.length + 1;

/** Faster than by bytes. */
export async function readIntakeText(sent: SentBody): Promise<string> {
  if (sent.isPacked || sent.sentBytes === null) return toIntakeText(await receive(sent), sent);
  const body = await sent.request.blob().catch((cause: unknown) => {
    throw endedEarly(cause);
  });
  const text = await body.text();
  return needsBytes(text, body.size) ? toIntakeText(await body.bytes(), sent) : formless(text);
}
