import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readIntakeText, sentBody } from '../../../src/http/intake-body.ts';
import { AppError } from '../../../src/shared/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

function requestOf(body: Uint8Array, headers: Record<string, string> = {}): Request {
  return new Request('http://intake/v1/segment/v1/batch', {
    method: 'POST',
    headers: { 'content-length': String(body.length), ...headers },
    body: Buffer.from(body),
  });
}

async function read(body: Uint8Array, headers?: Record<string, string>): Promise<string> {
  try {
    return await readIntakeText(sentBody(requestOf(body, headers)));
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code;
    throw thrown;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return 'malformed_json';
  }
}

const utf8 = fc.string({ unit: 'binary' }).map((text) => Buffer.from(text));
const lists = fc.array(
  fc.constantFrom(0xc3, 0xed, 0xa0, 0x80, 0xff, 0xfe, 0, 0x61, 0xef, 0xbb, 0xbf),
);
const damaged = fc.oneof(
  fc.uint8Array(),
  lists.map((bytes) => Uint8Array.from(bytes)),
);

test('a body is the UTF-8 that was sent, or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(utf8, damaged), async (bytes) => {
      fc.pre(bytes.length > 0 && !(bytes[0] === 0x1f && bytes[1] === 0x8b));
      expect(await read(bytes)).toBe(decoded(bytes));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a mark of bytes before UTF-8', Buffer.from('\ufeff{"a":1}'), '{"a":1}'],
  ['a replacement character that was sent', Buffer.from('{"a":"\ufffd"}'), '{"a":"\ufffd"}'],
  ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'malformed_json'],
  ['gzip that says nothing', Bun.gzipSync('{"a":1}'), '{"a":1}'],
  ['half of gzip', Bun.gzipSync('{"a":1}').slice(0, 12), 'invalid_input'],
  ['a form', Buffer.from(`data=${btoa('{"a":1}')}`), '{"a":1}'],
])('%s', async (_, bytes, expected) => {
  expect(await read(bytes)).toBe(expected);
});

test('gzip that says so is unpacked', async () => {
  expect(await read(Bun.gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })).toBe('{"a":1}');
});
