import { expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { parseInTurns } from '../../../src/http/json-in-turns.ts';
import { parseExact } from '../../../src/shared/exact-json.ts';

const list = (count: number, value: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => value(index)).join(',')}]`;
const object = (names: number, of = '') =>
  `{${Array.from({ length: names }, (_, index) => `"${of}${index}":1`).join(',')}}`;

test('a batch of 20,000 events of 40 values passes, and one event as wide as an event can be', async () => {
  await parseInTurns(list(20_000, () => object(40)));
  await parseInTurns(list(250, () => object(1_000)));
  await parseInTurns(list(1, () => object(5_400)));
});

test.each<[string, () => string]>([
  ['values', () => list(400, () => list(2_501, () => '1'))],
  ['brackets', () => '['.repeat(1_000_001)],
  ['objects', () => list(1_000, () => list(500, () => '{}'))],
  ['names of one object', () => object(260_000)],
  ['names of some objects', () => list(100, (index) => object(4_000, `${index}_`))],
  ['brackets after a text', () => `"\\\\\\"",${'['.repeat(1_000_001)}`],
])('too many %s are refused', async (_, json) => {
  await expect(parseInTurns(json())).rejects.toThrow('too many values');
});

const isRefused = Symbol('refused');
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return await parse();
  } catch {
    return isRefused;
  }
};

/** With names and numbers that are read in another way. */
const names = fc.constantFrom('__proto__', 'a', 'b', '1', '\\u0061', '{"', ',[');
const { text } = fc.letrec((tie) => ({
  text: fc.oneof({ withCrossShrink: true }, tie('scalar'), tie('list'), tie('object')),
  blank: fc.constantFrom('', ' ', '\n\t'),
  scalar: fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.constantFrom('12345678901234567890', '1234567890123456789', '-0', '1e400', '"\\u005d"'),
  ),
  list: fc
    .tuple(tie('blank'), fc.array(tie('text'), { maxLength: 6 }))
    .map(([blank, values]) => `${blank}[${values.join(`${blank},`)}${blank}]`),
  object: fc
    .tuple(tie('blank'), fc.array(fc.tuple(names, tie('text')), { maxLength: 6 }))
    .map(([blank, fields]) => {
      const written = fields.map(([name, value]) => `${JSON.stringify(name)}${blank}:${value}`);
      return `{${written.join(`,${blank}`)}${blank}}`;
    }),
}));

test('in parts of any size a text is what it is in one, or refused', async () => {
  const damage = fc.option(
    fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', ' ', '\\'),
    ),
    { freq: 2 },
  );
  await fc.assert(
    fc.asyncProperty(text, damage, fc.integer({ min: 1, max: 40 }), async (json, damaged, size) => {
      const [at, length, sign] = damaged ?? [0, 0, ''];
      const start = at % (String(json).length + 1);
      const sent = String(json).slice(0, start) + sign + String(json).slice(start + length);
      fc.pre(sent !== '');
      const whole = await outcome(() => parseExact(sent));
      const parts = await outcome(() => parseInTurns(sent, size));
      expect(parts).toStrictEqual(whole);
      if (whole !== isRefused) expect(JSON.stringify(parts)).toBe(JSON.stringify(whole));
    }),
    { numRuns: process.env.TEST_FULL === '1' ? 50_000 : 2_000 },
  );
});

test('what is nested deeper than any event is short', async () => {
  const nested = (inner: string) => `${'['.repeat(40)}${inner}${']'.repeat(40)}`;
  await parseInTurns(nested('1,'.repeat(1_000).concat('1')));
  await expect(parseInTurns(nested('1,'.repeat(200_000).concat('1')))).rejects.toThrow('too deep');
});

test('other work has its turns while a long text is parsed', async () => {
  const parse = spyOn(JSON, 'parse');
  const texts = [list(1, () => object(100_000)), list(2, () => list(2_000, () => object(20)))];
  for (const text of texts) await parseInTurns(`{"api_key":"a","batch":${text}}`);
  const longest = Math.max(...parse.mock.calls.map(([part]) => part.length));
  parse.mockRestore();
  expect(longest).toBeLessThan(2 * 64 * 1024);
});

test.each(['[1[2]]', '{"a":1[2]}', '["a"[2]]', '{"a":1,{"b":2}}'])(
  '%s is refused in parts',
  async (json) => {
    await expect(parseInTurns(json, 1)).rejects.toThrow(SyntaxError);
  },
);
