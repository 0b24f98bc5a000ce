import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { WELL_FORMED_PROPS_SQL } from '../../../src/event-store/event/columns.ts';
import { readBuilt } from '../../../src/event-store/projection/column.ts';
import { buildRows } from '../../../src/event-store/projection/project.ts';
import {
  isRefusedByJsonb,
  stringifyWellFormed,
  toWellFormedJson,
} from '../../../src/shared/well-formed-json.ts';
import { rowProperty } from '../../../src/query/reading/projection/row-property.ts';
import { textLiteral } from '../../../src/storage/duckdb-literal.ts';
import { eventRow, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const piece = fc.constantFrom(
  ...['\ud83d', '\ude00', '😀', '\\', '\\ud83d', '\\u', '"', '\n', '\u0001', '\u0000', 'a', 'ü'],
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    ...[text, fc.integer(), fc.boolean(), fc.constant(null)],
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(text, tie('json'), { maxKeys: 3 }),
  ),
}));

function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.toWellFormed(), whole(one)]),
  );
}

const numRuns = process.env.TEST_FULL ? 10_000 : 500;

test('JSON is written with U+FFFD for each lone surrogate and otherwise unchanged', () => {
  fc.assert(
    fc.property(json, (value) => {
      const written = stringifyWellFormed(value);
      expect(JSON.parse(written)).toEqual(whole(value));
      const escaped = JSON.stringify(value);
      const hasNul = escaped.replaceAll('\\\\', '').includes('\\u0000');
      expect(isRefusedByJsonb(value)).toBe(hasNul || written !== escaped);
    }),
    { numRuns },
  );
});

test('pairs of escapes, in either case, are characters', () => {
  expect(toWellFormedJson('["\\uD83D\\ude00", "\\ud83d\\uD83D\\uDE00", "\\\\ud83d"]')).toBe(
    '["\\uD83D\\ude00", "\ufffd\\uD83D\\uDE00", "\\\\ud83d"]',
  );
});

test('DuckDB reads stored properties as JavaScript does', async () => {
  const sample = fc.sample(fc.dictionary(text, text, { maxKeys: 4 }), numRuns);
  const stored = sample.map((props) => JSON.stringify(props));
  const rows = await duck.query({}, async (connection) =>
    (
      await connection.run(
        `SELECT ${WELL_FORMED_PROPS_SQL} FROM (VALUES ${stored
          .map((props, index) => `(${index}, ${textLiteral(props)})`)
          .join(', ')}) t(i, props) ORDER BY i`,
      )
    ).getRows(),
  );
  expect(rows.map(([props]) => props)).toEqual(stored.map(toWellFormedJson));
});

test('projections of earlier releases are read as files are', async () => {
  const props = JSON.stringify({ 'n\ud83d': 'v\ud83d' });
  const built = (await buildRows([eventRow({ name: 'opened', props })], { withProps: true }))!;
  const [section] = readBuilt(built).sections;
  expect(rowProperty(section!, 'n\ufffd')?.at(1)).toBe('v\ufffd');
});
