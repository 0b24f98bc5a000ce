import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, invalidInput } from '../shared/errors.ts';
import type { Access, Unpack } from './access.ts';
import { decodeText, hasNoBody, readBounded } from './body.ts';

const MAX_SENT_BYTES = 1024 * 1024;
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

const megabytes = (bytes: number) => bytes / 1024 / 1024;

function tooLarge(plainBytes = MAX_SENT_BYTES): AppError {
  const [sent, plain, unpacked] = [MAX_SENT_BYTES, plainBytes, MAX_UNPACKED_BYTES].map(megabytes);
  const asSent = sent === plain ? `${sent} MB as sent` : `${sent} MB as gzip, ${plain} MB as it is`;
  return new AppError('body_too_large', 'The batch is too large.', {
    hint: `body: at most ${asSent}, ${unpacked} MB unpacked`,
  });
}

const unzip = promisify(gunzip);

const isTooLong = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > MAX_SENT_BYTES) throw tooLarge();
  try {
    return await unzip(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (cause) {
    if (isTooLong(cause)) throw tooLarge();
    throw invalidInput('body', 'must be whole gzip, as its Content-Encoding says');
  }
}

const GZIP_MAGIC = [0x1f, 0x8b];
const isGzip = (bytes: Uint8Array): boolean =>
  GZIP_MAGIC.every((byte, index) => bytes[index] === byte);

const FORM = 'data=';

/** JSON in base64, as the field `data` of a form. */
function formless(text: string): string {
  if (!text.startsWith(FORM)) return text;
  const data = new URLSearchParams(text).get('data') ?? '';
  return decodeText(Buffer.from(data.replaceAll(' ', '+'), 'base64'));
}

type Reading = { isPacked: boolean; contentType: string | null; unpack: Unpack | undefined };

async function textOf(bytes: Uint8Array, { isPacked, contentType, unpack }: Reading) {
  const plain = isPacked || isGzip(bytes) ? await unpacked(bytes) : bytes;
  return unpack?.(plain, contentType) ?? decodeText(plain);
}

/** Gzip, replaced bytes, UTF-16 by length. */
const needsBytes = (text: string, bytes: number): boolean =>
  text.startsWith('\u001f') || text.includes('\ufffd') || Math.floor(bytes / 2) === text.length + 1;

/** Faster than by bytes. */
async function readText(request: Request, reading: Reading): Promise<string> {
  if (reading.isPacked || reading.unpack) return textOf(await request.bytes(), reading);
  const body = await request.blob();
  const text = await body.text();
  return needsBytes(text, body.size) ? textOf(await body.bytes(), reading) : text;
}

/** Any content type: some clients send JSON as a form, or gzip without saying so. */
export async function readIntakeBody(
  request: Request,
  { unpack, takesLongPlain }: Pick<Access, 'unpack' | 'takesLongPlain'> = {},
): Promise<string> {
  const declared = request.headers.get('content-length');
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  const plainBytes = takesLongPlain ? MAX_UNPACKED_BYTES : MAX_SENT_BYTES;
  const maxBytes = encoding === 'gzip' ? MAX_SENT_BYTES : plainBytes;
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(plainBytes);
  if (hasNoBody(request)) return '';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AppError('unsupported_media_type', 'The request body is compressed in another way.', {
      hint: 'Send it as gzip, or as it is.',
    });
  }
  const contentType = request.headers.get('content-type');
  const reading = { isPacked: encoding === 'gzip', contentType, unpack };
  const text =
    declared === null
      ? await textOf(await readBounded(request, maxBytes, () => tooLarge(plainBytes)), reading)
      : await readText(request, reading);
  return formless(text);
}
