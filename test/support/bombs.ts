import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

type Door = { path: string; headers: Record<string, string> };

/** Each format of the intake, as somebody without a key sends it. */
export const DOORS: Record<string, Door> = {
  posthog: { path: '/v1/posthog/batch', headers: {} },
  'posthog flags': { path: '/v1/posthog/flags', headers: {} },
  segment: { path: '/v1/segment/v1/batch', headers: {} },
  'segment, wrong key': {
    path: '/v1/segment/v1/batch',
    headers: { authorization: `Basic ${btoa('svp_wrong:')}` },
  },
  amplitude: { path: '/v1/amplitude/2/httpapi', headers: {} },
  'otlp JSON': { path: '/v1/otlp/v1/logs', headers: { 'content-type': 'application/json' } },
  'otlp protobuf': {
    path: '/v1/otlp/v1/logs',
    headers: { 'content-type': 'application/x-protobuf' },
  },
};

/** Repeated, each is what some part of a reader takes longest for. */
export const BOMBS: Record<string, string> = {
  'many keys': Array.from({ length: 5_000 }, (_, index) => `svp_${index} `).join(''),
  brackets: '[',
  objects: '{},',
  numbers: '1,',
  'long numbers': '1234567890123456789,',
  names: '"abc":{"d":1},',
  escapes: '\\u0041',
  'the same key': 'svp_0123456789 ',
  'percent signs': '%41',
  ampersands: '&data=',
  records: '\u0012\u0000',
  spaces: ' ',
};

/** Lets gzip unpack to `bytes` without being refused for its ratio. */
const noise = (bytes: number): string => randomBytes(Math.ceil(bytes / 250)).toString('base64');

export const bomb = (sign: string, bytes: number): string =>
  `${sign.repeat(bytes / sign.length)}${noise(bytes)}`;

const asForm = (text: string) => Buffer.from(`data=${Buffer.from(text).toString('base64')}`);

type Encoding = { pack: (text: string) => Uint8Array; encoding?: string };

export const ENCODINGS: Record<string, Encoding> = {
  none: { pack: (text) => Buffer.from(text) },
  gzip: { pack: (text) => gzipSync(text), encoding: 'gzip' },
  'gzip that says nothing': { pack: (text) => gzipSync(text) },
  'gzip in gzip': { pack: (text) => gzipSync(gzipSync(text)), encoding: 'gzip' },
  'a form': { pack: asForm },
  'a form in gzip': { pack: (text) => gzipSync(asForm(text)), encoding: 'gzip' },
  'x-gzip': { pack: (text) => gzipSync(text), encoding: 'x-gzip' },
  deflate: { pack: (text) => deflateSync(text), encoding: 'deflate' },
  br: {
    pack: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    encoding: 'br',
  },
  zstd: { pack: (text) => zstdCompressSync(text), encoding: 'zstd' },
};
