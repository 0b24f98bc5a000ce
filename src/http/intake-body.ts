import { promisify } from 'node:util';
import { constants, gunzip, inflate, type InputType, zstdDecompress } from 'node:zlib';
import { AppError, invalidInput } from '../shared/errors.ts';
import type { Access, Protocol } from './access.ts';
import { decodeText, hasNoBody, readBounded } from './body.ts';

const MAX_SENT_BYTES = 1024 * 1024;
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;
/** Batches shrink to a tenth. */
const MAX_RATIO = 200;
export const SMALL_BYTES = 64 * 1024;

const megabytes = (bytes: number) => bytes / 1024 / 1024;

type Bounds = { packedBytes: number; plainBytes: number };
const USUAL: Bounds = { packedBytes: MAX_SENT_BYTES, plainBytes: MAX_SENT_BYTES };

function boundsOf({ takesLongPlain, binary }: Protocol = {}): Bounds {
  const packedBytes = binary ? MAX_UNPACKED_BYTES : MAX_SENT_BYTES;
  return { packedBytes, plainBytes: takesLongPlain ? MAX_UNPACKED_BYTES : packedBytes };
}

function tooLarge({ packedBytes, plainBytes }: Bounds): AppError {
  const [packed, plain, unpacked] = [packedBytes, plainBytes, MAX_UNPACKED_BYTES].map(megabytes);
  const asSent =
    packed === plain ? `${packed} MB as sent` : `${packed} MB as gzip, ${plain} MB as it is`;
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
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw tooLarge(USUAL);
  if (unpackedBytes > maxUnpackedBytes(sentBytes)) throw tooPacked();
}

type Unpack = (bytes: InputType, options: { maxOutputLength: number }) => Promise<Buffer>;
const unzip: Unpack = promisify(gunzip);
const unzstd = promisify(zstdDecompress);
/** Memory that every decoder takes. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };
const UNPACK = {
  gzip: unzip,
  'x-gzip': unzip,
  deflate: promisify(inflate),
  zstd: (bytes, options) => unzstd(bytes, { ...options, ...ZSTD }),
} satisfies Record<string, Unpack>;
type Packing = keyof typeof UNPACK;
const isPacking = (encoding: string): encoding is Packing => Object.hasOwn(UNPACK, encoding);
/** Size of bodies whose key is searched. */
const SEARCHED: readonly Packing[] = ['gzip', 'x-gzip'];

const isTooLong = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

async function unpacked(bytes: Uint8Array, { packing, bounds }: SentBody): Promise<Uint8Array> {
  if (bytes.length > bounds.packedBytes) throw tooLarge(bounds);
  const maxOutputLength = maxUnpackedBytes(bytes.length);
  try {
    return await UNPACK[packing ?? 'gzip'](bytes, { maxOutputLength });
  } catch (cause) {
    if (isTooLong(cause)) {
      throw maxOutputLength < MAX_UNPACKED_BYTES ? tooPacked() : tooLarge(bounds);
    }
    throw invalidInput('body', `must be whole ${packing ?? 'gzip'}, as its Content-Encoding says`);
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
  packing: Packing | null;
  bounds: Bounds;
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
export function sentBody(
  request: Request,
  access: Partial<Access> = {},
  packings: readonly string[] = Object.keys(UNPACK),
): SentBody {
  const declared = request.headers.get('content-length');
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  const bounds = boundsOf(access.protocol);
  const packing = isPacking(encoding) && packings.includes(encoding) ? encoding : null;
  const maxBytes = packing ? bounds.packedBytes : bounds.plainBytes;
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(bounds);
  if (encoding !== 'identity' && packing === null && !hasNoBody(request)) {
    throw new AppError('unsupported_media_type', 'The request body is compressed in another way.', {
      hint: `Send it as ${packings.join(', ')}, or as it is.`,
    });
  }
  return {
    ...{ request, packing, bounds, maxBytes },
    sentBytes: declared === null ? null : Number(declared),
    tooLarge: () => tooLarge(bounds),
  };
}

export const searchedBody = (request: Request, access: Access): SentBody =>
  sentBody(request, access, SEARCHED);

async function receive({ request, sentBytes, maxBytes, tooLarge }: SentBody): Promise<Uint8Array> {
  try {
    return await (sentBytes === null ? readBounded(request, maxBytes, tooLarge) : request.bytes());
  } catch (cause) {
    throw endedEarly(cause);
  }
}

const plain = async (bytes: Uint8Array, sent: SentBody): Promise<Uint8Array> =>
  bytes.length > 0 && (sent.packing || isGzip(bytes)) ? unpacked(bytes, sent) : bytes;

export const readIntakeBytes = async (sent: SentBody): Promise<Uint8Array> =>
  plain(await receive(sent), sent);

export const toIntakeText = async (bytes: Uint8Array, sent: SentBody): Promise<string> =>
  formless(decodeText(await plain(bytes, sent)));

/** Gzip, replaced bytes, UTF-16 by length. */
const needsBytes = (text: string, bytes: number): boolean =>
  text.startsWith('\u001f') || text.includes('\ufffd') || Math.floor(bytes / 2) === text.length + 1;

/** Faster than by bytes. */
export async function readIntakeText(sent: SentBody): Promise<string> {
  if (sent.packing || sent.sentBytes === null) return toIntakeText(await receive(sent), sent);
  const body = await sent.request.blob().catch((cause: unknown) => {
    throw endedEarly(cause);
  });
  const text = await body.text();
  return needsBytes(text, body.size) ? toIntakeText(await body.bytes(), sent) : formless(text);
}
