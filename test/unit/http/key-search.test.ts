import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { joined } from '../../../src/http/body.ts';
import { findKeys } from '../../../src/http/key-search.ts';
import { WaitingBodies } from '../../../src/http/waiting-bodies.ts';

const KEY = `svp_${'aB3-_'.repeat(10).slice(0, 49)}`;

async function* piecesOf(bytes: Uint8Array, cuts: readonly number[]) {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  let start = 0;
  for (const end of ends.toSorted((a, b) => a - b)) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function search(pieces: AsyncIterable<Uint8Array>): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of findKeys(joined(pieces), () => undefined)) found.push(...keys);
  return found;
}

const asForm = (text: string) => {
  const base64 = Buffer.from(text).toString('base64');
  return Buffer.from(`data=${encodeURIComponent(base64)}&ver=1`);
};
const escaped = (text: string) =>
  [...text].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');

const forms = fc.constantFrom<(text: string) => Uint8Array>(
  (text) => Buffer.from(text),
  (text) => gzipSync(text),
  asForm,
  (text) => gzipSync(asForm(text)),
);

test('a key is found wherever the body is cut, in every form', async () => {
  const around = fc.string({ unit: 'binary', maxLength: 600 });
  const key = fc.constantFrom(KEY, escaped(KEY));
  const cuts = fc.array(fc.nat(5_000), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(around, key, around, forms, cuts, async (before, sent, after, form, at) => {
      const text = `{"a":${JSON.stringify(before)},"api_key":"${sent}","b":${JSON.stringify(after)}}`;
      expect(await search(piecesOf(form(text), at))).toContain(KEY);
    }),
    { numRuns: process.env.TEST_FULL === '1' ? 5_000 : 300 },
  );
});

/** Unpacked; of a form, three quarters of it. */
const SEARCHED = 64 * 1024;

test('a key is found near the start and the end of any body, and work is bounded between', async () => {
  const filler = fc.constantFrom('x', '\\u0041', '{},', 'svp_a ', '%41', '[');
  const near = fc.nat(SEARCHED / 2 - 400);
  const cuts = fc.array(fc.nat(300_000), { maxLength: 12 });
  const place = fc.constantFrom('start', 'end');
  await fc.assert(
    fc.asyncProperty(filler, near, place, forms, cuts, async (sign, away, at, form, where) => {
      const [short, long] = [away, 200_000].map((length) => sign.repeat(length / sign.length));
      const around = at === 'start' ? [short, long] : [long, short];
      const found = await search(piecesOf(form(around.join(`"${KEY}"`)), where));
      expect(found).toContain(KEY);
    }),
    { numRuns: process.env.TEST_FULL === '1' ? 1_000 : 60 },
  );
});

test.each([
  ['as it is', (text: string) => Buffer.from(text)],
  ['as gzip', (text: string) => gzipSync(text)],
  ['as a form', asForm],
])('nothing between the first and the last 64 KB is searched, %s', async (_, form) => {
  const middle = `"${KEY}"`.repeat(20_000);
  const around = 'x'.repeat(2 * SEARCHED);
  expect(await search(piecesOf(form(around + middle + around), []))).toEqual([]);
});

test('a key is found between any two pieces', async () => {
  const body = Buffer.from(`{"api_key":"${KEY}"}`);
  for (let cut = 0; cut <= body.length; cut += 1) {
    expect(await search(piecesOf(body, [cut]))).toContain(KEY);
  }
});

test('whoever checks the bytes ends the search', async () => {
  const pieces = piecesOf(gzipSync('x'.repeat(1_000_000)), []);
  const check = (bytes: number) => {
    if (bytes > 100_000) throw new Error(`${bytes}`);
  };
  const search = async () => {
    for await (const _ of findKeys(joined(pieces), check));
  };
  await expect(search()).rejects.toThrow(/^1[0-6]\d{4}$/);
});

test('bodies that wait are bounded in all and by sender, and make room when they end', () => {
  const waiting = new WaitingBodies({ bytes: 100, bytesOfSender: 60 });
  const [first, second, third] = ['a', 'a', 'b'].map((sender) => waiting.open(sender));
  first?.hold(40);
  expect(() => second?.hold(21)).toThrow('wait to be read');
  second?.hold(20);
  expect(() => third?.hold(41)).toThrow('wait to be read');
  third?.hold(40);
  first?.release();
  first?.release();
  first?.hold(1_000);
  third?.hold(20);
  expect(() => third?.hold(1)).toThrow('wait to be read');
});
