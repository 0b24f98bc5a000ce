import { afterAll, beforeAll, expect, test } from 'bun:test';
import { planParts } from '../../../src/query/reading/projection/parts.ts';
import { type EventSource, selectEvents } from '../../../src/query/reading/source/events.ts';
import type { Condition } from '../../../src/query/selection/conditions.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { byDuck, nobody } from '../../support/readers.ts';

let duck: TestDuck;
let source: Partial<EventSource>;
beforeAll(async () => {
  duck = await TestDuck.open();
  duck.asked = ['word', 'duration', 'id', 'odd', 'price'];
  const file = await duck.writeFile(rows, { level: 1 });
  // So many by the catalogue that nobody reads them into memory.
  source = { files: [{ ...file, rows: 3_000_000 }] };
});
afterAll(() => duck.close());

const ROWS = 70_000;
const WINDOW = {
  ...{ orgId: ORG, appId: APP, boundariesUs: [0, 30_000, ROWS], filters: {}, valuesFrom: 0 },
  ranges: [
    [0, 1],
    [1, 2],
    [0, 2],
  ] as [number, number][],
};

/** Of each property more values than projections hold; `word` of both types, `duration` of any. */
const rows = Array.from({ length: ROWS }, (_, n) =>
  eventRow({
    name: n % 70 === 0 ? 'closed' : 'opened',
    anonymousId: `device-${n % 900}`,
    occurredAtUs: n,
    props: JSON.stringify({
      duration: n * 1.37,
      id: `id-${n}`,
      price: n % 400,
      word: n % 3 === 0 ? n % 500 : `w${n % 700}`,
      ...(n % 2 === 0 && { odd: n % 2_000 }),
      other: n,
    }),
  }),
);

const whereOf = (...all: Condition[]) => ({ where: { all } });

const ASKED = {
  byText: ['series', { ...WINDOW, names: ['opened'], breakdown: { kind: 'prop', prop: 'word' } }],
  withNumber: [
    'series',
    {
      ...{ ...WINDOW, names: null, breakdown: null },
      ...whereOf({ field: 'prop:duration', op: 'gt', value: 50_000.5 }),
    },
  ],
  withText: [
    'series',
    {
      ...{ ...WINDOW, names: null, breakdown: null },
      ...whereOf(
        { field: 'prop:id', op: 'contains', value: '77' },
        { field: 'prop:odd', op: 'isSet' },
      ),
    },
  ],
  p90: [
    'measures',
    {
      ...{ ...WINDOW, names: ['opened'] },
      measure: { of: 'property', property: 'duration', statistic: 'p90', per: 'event' },
    },
  ],
  sum: [
    'measures',
    {
      ...{ ...WINDOW, names: null },
      measure: { of: 'property', property: 'price', statistic: 'sum', per: 'person' },
    },
  ],
  median: [
    'measures',
    {
      ...{ ...WINDOW, names: null, ...whereOf({ field: 'prop:word', op: 'isNot', value: 'w5' }) },
      measure: { of: 'property', property: 'word', statistic: 'median', per: 'person' },
    },
  ],
} as const;

type Case = keyof typeof ASKED;

async function ask(which: Case, connection: typeof nobody, source: EventSource) {
  const [kind, question] = ASKED[which];
  return kind === 'series'
    ? countOver(connection, source, kind, structuredClone(question) as never)
    : countOver(connection, source, kind, structuredClone(question) as never);
}

test('properties of thousands of values are counted without DuckDB, as it counts them', async () => {
  for (const which of Object.keys(ASKED) as Case[]) {
    const counted = await duck.query(source, (_, whole) => ask(which, nobody, whole));
    const read = await duck.query(byDuck(source), (connection, whole) =>
      ask(which, connection, whole),
    );
    expect({ which, counted }).toEqual({ which, counted: read });
  }
});

test('what is not listed is read by DuckDB', async () => {
  for (const prop of ['duration', 'id', 'other']) {
    const question = { ...WINDOW, names: null, breakdown: { kind: 'prop' as const, prop } };
    const asked = duck.query(source, (_, whole) => countOver(nobody, whole, 'series', question));
    expect(asked).rejects.toThrow('DuckDB is asked');
  }
});

test('files that lack a property are not read into memory where their rows are too many', async () => {
  const [file] = source.files ?? [];
  const files = Array.from({ length: 4 }, (_, n) => ({ ...file!, path: `${n}`, rows: 60_000 }));
  const suits = { properties: [{ event: null, prop: 'other', isListed: false }] };
  const plan = (some: typeof files) =>
    planParts({ ...selectEvents({ ...whole, files: some }, {}), connection: nobody }, suits);
  let whole!: EventSource;
  await duck.query(source, async (_, found) => {
    whole = found;
  });
  expect(await plan(files)).toBeNull();
  await expect(plan(files.slice(1))).rejects.toThrow('DuckDB is asked');
});
