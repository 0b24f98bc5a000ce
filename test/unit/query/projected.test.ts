import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { PROJECTED_COLUMNS, readFileRows } from '../../../src/event-store/read.ts';
import { fileEvents } from '../../../src/query/reading/duckdb/relation.ts';
import { Buckets, OUTSIDE } from '../../../src/query/reading/projection/buckets.ts';
import { hasPerson } from '../../../src/query/reading/projection/has-person.ts';
import { planParts } from '../../../src/query/reading/projection/parts.ts';
import { type EventSource, selectEvents } from '../../../src/query/reading/source/events.ts';
import { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import { must } from '../../../src/shared/assert.ts';
import { isInScope } from '../../../src/shared/environment.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { byDuck, nobody, withoutProjections } from '../../support/readers.ts';
import { asLarge, stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
/** Ranges of a few people, so that every thread has several of them. */
const SMALL_RANGES = { threads: 3, entriesAtOnce: 3, minRanges: 1 };
const together = new CountingThreads(SMALL_RANGES);
/** Nobody but they counts, as long as they can. */
const helpersOnly = new CountingThreads({ ...SMALL_RANGES, helpersFirst: true });
beforeAll(async () => {
  duck = await TestDuck.open();
  await Promise.all([together.ready(), helpersOnly.ready()]);
});
afterAll(async () => {
  await Promise.all([together.stop(), helpersOnly.stop()]);
  duck.close();
});

const OF_APP = { orgId: ORG, appId: APP };
const FILE_SPAN = 800;
const boundaries = fc
  .record({
    start: fc.integer({ min: 0, max: FILE_SPAN }),
    steps: fc.array(fc.constantFrom(1, 20, 100, FILE_SPAN), { minLength: 1, maxLength: 40 }),
  })
  .map(({ start, steps }) => {
    const found = [start];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
const name = fc.option(fc.constantFrom('opened', 'bought', '$exposure'));
const names = fc.constantFrom<string[] | null>(
  null,
  ['opened'],
  ['bought', 'opened', '$exposure', 'never_seen'],
);
const asked = fc.record({
  environment: fc.constantFrom<EventSource['environment']>('production', 'development', 'all'),
  boundariesUs: boundaries,
  names,
  startName: name,
  returnName: name,
  cohort: fc.constantFrom('first' as const, 'recurring' as const),
  criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
  steps: fc.array(fc.constantFrom('opened', 'bought', 'closed'), { minLength: 1, maxLength: 4 }),
  windowUs: fc.nat(300),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

/** Every question that projections may answer. */
async function answers(
  connection: DuckDBConnection,
  source: EventSource,
  ask: Asked,
  threads: CountingThreads | null = null,
) {
  const { boundariesUs, cohort, criterion, startName, returnName } = ask;
  const [fromUs = 0] = boundariesUs;
  const beforeUs = boundariesUs.at(-1) ?? 0;
  const buckets = boundariesUs.length - 1;
  return {
    series: await countOver(
      connection,
      source,
      'series',
      {
        ...OF_APP,
        boundariesUs,
        names: ask.names,
        breakdown: null,
        valuesFrom: 0,
        filters: {},
        ranges: [
          [0, buckets],
          [0, 1],
          [Math.floor(buckets / 2), buckets],
          [1, 1],
        ],
      },
      threads,
    ),
    retention: await countOver(
      connection,
      source,
      'retention',
      {
        ...OF_APP,
        boundariesUs,
        cohorts: Math.ceil(buckets / 2),
        cohort,
        criterion,
        periodUs: null,
        periods: 3,
        ...(startName !== null && { start: { events: [startName] } }),
        ...(returnName !== null && { return: { events: [returnName] } }),
      },
      threads,
    ),
    summary: await countOver(
      connection,
      source,
      'summary',
      { ...OF_APP, fromUs, beforeUs, limit: 2 },
      threads,
    ),
    funnel: await countOver(
      connection,
      source,
      'funnel',
      {
        ...OF_APP,
        steps: ask.steps.map((event) => ({ event })),
        fromUs,
        startBeforeUs: beforeUs,
        windowUs: ask.windowUs,
        filters: {},
        breakdown: null,
        trendFromUs: [fromUs, fromUs + 100],
      },
      threads,
    ),
  };
}

test('projections answer as DuckDB does, of every environment, alone or beside other files, in one thread or several', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 2 * FILE_SPAN })),
      asked,
      async (events, ask) => {
        const made = await stitched(duck, { ...events, erased: [] }, { splitAt: FILE_SPAN });
        // As the engine does, which leaves the log's other rows out.
        const hotRows = (made.source.hotRows ?? []).filter((row) =>
          isInScope(row.environment, ask.environment),
        );
        const source = { ...made.source, hotRows, environment: ask.environment };
        const counted = await duck.query(source, async (connection, whole) => [
          await answers(connection, whole, ask),
          await answers(connection, whole, ask, together),
          await answers(connection, whole, ask, helpersOnly),
        ]);
        // Small ones from memory then, and large ones by DuckDB.
        const bare = await duck.query(withoutProjections(source), (connection, whole) =>
          answers(connection, whole, ask),
        );
        const read = await duck.query(byDuck(source), (connection, whole) =>
          answers(connection, whole, ask),
        );
        expect([...counted, bare]).toEqual([read, read, read, read]);
      },
    ),
    { numRuns: process.env.TEST_FULL ? 600 : 12 },
  );
});

test('of thousands of people every one is counted once, in whatever file and range of keys', async () => {
  const person = (n: number, at: number, signedIn = false) =>
    eventRow({
      name: n % 2 === 0 ? 'opened' : 'bought',
      anonymousId: `device-${n}`,
      userId: signedIn ? `user-${n}` : null,
      occurredAtUs: at,
    });
  const people = Array.from({ length: 12_000 }, (_, n) => n);
  const files = [
    await duck.writeFile(
      people.map((n) => person(n, 10)),
      { level: 1 },
    ),
    await duck.writeFile(
      people.slice(4_000).map((n) => person(n, 20, n >= 10_000)),
      { level: 1 },
    ),
  ];
  // The last 2,000 signed in, of whom half are known to be the same person.
  const lateAliases = people
    .slice(11_000)
    .map((n) => ({ anonymousId: `device-${n}`, userId: `user-${n}` }));
  await duck.query({ files, lateAliases }, async (_, whole) => {
    const series = await countOver(nobody, whole, 'series', {
      ...OF_APP,
      boundariesUs: [0, 15, 30],
      names: null,
      breakdown: null,
      valuesFrom: 0,
      filters: {},
      ranges: [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
    });
    expect(series.total).toEqual({ events: [12_000, 8_000], people: [12_000, 8_000, 13_000] });
    const funnel = await countOver(nobody, whole, 'funnel', {
      ...OF_APP,
      steps: [{ event: 'opened' }, { event: 'opened' }],
      fromUs: 0,
      startBeforeUs: 30,
      windowUs: 30,
      filters: {},
      breakdown: null,
      trendFromUs: null,
    });
    // Of 6,000 devices with even numbers 3,000 came back as they were and 500 under a known name.
    expect(funnel.total.people).toEqual([6_500, 3_500]);
  });
});

test('where a person is being erased, or a large file is alone without a projection, DuckDB answers', async () => {
  const row = eventRow({ name: 'opened', anonymousId: 'device-1' });
  const file = await duck.writeFile([row], { level: 1 });
  const shared = await duck.writeFile([row]);
  const parts = (source: Partial<EventSource>) =>
    duck.query(source, (connection, whole) =>
      planParts({ ...selectEvents(whole, {}), connection }),
    );
  expect(await parts({ files: [file] })).toHaveLength(1);
  expect(await parts({ files: [file, shared], hotRows: [row] })).toHaveLength(3);
  expect(await parts({ files: [file], erased: ['device-9'] })).toBeNull();
  expect(await parts({ files: [shared] })).toHaveLength(1);
  expect(await parts({ hotRows: [row] })).toHaveLength(1);
  expect(await parts({})).toEqual([]);
  expect(await parts({ files: [asLarge(shared)] })).toBeNull();
  expect(await parts({ files: [file, asLarge(shared)] })).toHaveLength(2);
  expect(await parts({ files: [file, { ...shared, rows: 2_000_001 }] })).toBeNull();
});

test('rows of the log are projected once, until one of them says something else', async () => {
  const row = eventRow({ name: 'opened', anonymousId: 'device-1', props: '{"plan":"a"}' });
  const other = eventRow({ name: 'opened', anonymousId: 'device-2' });
  const partOf = async (hotRows: EventSource['hotRows'], withProps = false) => {
    const suits = withProps ? { properties: [] } : {};
    const found = await duck.query({ hotRows }, (connection, source) =>
      planParts({ ...selectEvents(source, {}), connection }, suits),
    );
    return must(found?.[0], 'the part of the log').projection;
  };
  const first = await partOf([row, other]);
  expect(await partOf([row, other])).toBe(first);
  expect(await partOf([{ ...row }, other])).toBe(first);
  const changes = [
    { personId: 'user-1' },
    { userId: 'user-1' },
    { name: 'bought' },
    { occurredAtUs: row.occurredAtUs + 1 },
    { platform: 'web' },
    { appVersion: '9.9' },
    { country: 'FR' },
    { environment: 'development' as const },
    { props: '{"plan":"b"}' },
  ];
  for (const change of changes) {
    const before = await partOf([row, other], true);
    const after = await partOf([{ ...row, ...change }, other], true);
    expect(after).not.toBe(before);
    expect(await partOf([row, other], true)).not.toBe(after);
  }
  for (const fewer of [[row], [other], [other, row]]) {
    expect(await partOf(fewer)).not.toBe(await partOf([row, other]));
  }
});

test('the bucket of a time is the one between the boundaries around it', () => {
  fc.assert(
    fc.property(
      boundaries,
      fc.integer({ min: -10, max: 5_000 }),
      fc.boolean(),
      (all, time, isKept) => {
        const buckets = new Buckets(all, isKept ? 99 : OUTSIDE);
        const next = all.findIndex((boundary) => boundary > time);
        const expected = next === -1 ? OUTSIDE : next === 0 ? (isKept ? 99 : OUTSIDE) : next - 1;
        expect(buckets.of(time)).toBe(expected);
      },
    ),
  );
});

test('a file lies in a bucket, outside all of them, or in several, also when it begins before and ends after them', () => {
  const file = (from: number, before: number) => ({
    minOccurredAt: new Date(from),
    maxOccurredAt: new Date(before),
    developmentRows: 0,
  });
  const days = new Buckets([10_000, 20_000, 30_000]);
  expect(days.ofFile(file(10, 20))).toBe(0);
  expect(days.ofFile(file(20, 30))).toBe(1);
  expect(days.ofFile(file(5, 10))).toBe(OUTSIDE);
  expect(days.ofFile(file(30, 40))).toBe(OUTSIDE);
  for (const [from, before] of [
    [10, 21],
    [9, 11],
    [29, 31],
    [5, 40],
  ] as const) {
    expect(days.ofFile(file(from, before))).toBeNull();
  }
});

test('a projection knows whether its file has rows of a person, and of nobody else', async () => {
  const rows = Array.from({ length: 300 }, (_, n) =>
    eventRow({
      name: 'opened',
      anonymousId: `device-${n}`,
      userId: n % 3 === 0 ? `user-${n}` : null,
    }),
  );
  const { projection } = await duck.writeFile(rows, { level: 1 });
  for (let n = 0; n < 400; n += 1) {
    expect(hasPerson(projection!, [`device-${n}`])).toBe(n < 300 && n % 3 !== 0);
    expect(hasPerson(projection!, ['nobody', `user-${n}`])).toBe(n < 300 && n % 3 === 0);
  }
});

test('a step finds its property, in the projection or in the file when it has too many values there', async () => {
  const propsOf = (n: number) => ({
    plan: n % 2 === 0 ? 'yearly' : 'monthly',
    price: n % 3,
    trial: n % 5 === 0,
    wide: n,
    long: 'x'.repeat(n % 200),
    ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`other_${index}`, n % 2])),
  });
  const rows = Array.from({ length: 400 }, (_, n) =>
    eventRow({
      name: n % 4 === 0 ? 'opened' : 'bought',
      anonymousId: `device-${n % 60}`,
      occurredAtUs: n,
      props: n % 7 === 0 ? null : JSON.stringify(propsOf(n)),
    }),
  );
  const few = rows
    .slice(0, 50)
    .map((row, n) => ({ ...row, props: JSON.stringify({ plan: 'yearly', wide: n }) }));
  const files = [
    await duck.writeFile(rows, { level: 1 }),
    await duck.writeFile(few, { level: 1 }),
    await duck.writeFile(few),
  ];
  const source = { files, hotRows: few };
  const sections = files[0]?.projection?.sections ?? [];
  const kept = sections.flatMap(({ properties }) => [...properties.keys()]);
  expect(kept).toContain('plan');
  expect(kept).not.toContain('wide');
  expect(kept).not.toContain('long');
  for (const [prop, equals] of [
    ['plan', 'yearly'],
    ['price', '2'],
    ['trial', 'true'],
    ['wide', '7'],
    ['other_79', '1'],
    ['missing', '1'],
  ] as const) {
    const ask = (from: Partial<EventSource>) =>
      duck.query(from, (connection, whole) =>
        countOver(connection, whole, 'funnel', {
          ...OF_APP,
          steps: [
            { event: 'opened' },
            { event: 'bought', where: { prop, equals } },
            { event: 'bought' },
          ],
          fromUs: 0,
          startBeforeUs: 400,
          windowUs: 100,
          filters: {},
          breakdown: null,
          trendFromUs: null,
        }),
      );
    const answer = await ask(byDuck(source));
    expect(await ask(source)).toEqual(answer);
    expect(await ask(withoutProjections(source))).toEqual(answer);
  }
});

test('a small file is read once, whatever is asked of it, and of a file of many apps the rows of one', async () => {
  const row = (appId: string, n: number) =>
    eventRow({
      name: n % 2 === 0 ? 'opened' : 'bought',
      appId,
      anonymousId: `device-${n}`,
      occurredAtUs: n * 1_000,
      platform: n % 3 === 0 ? 'ios' : 'web',
      environment: n % 5 === 0 ? 'development' : 'production',
    });
  const ofOthers = Array.from({ length: 70 }, (_, n) => row('app_other', n));
  const own = Array.from({ length: 50 }, (_, n) => row(APP, n));
  const written = await duck.writeFile([...ofOthers, ...own]);
  const files = [{ ...written, rows: own.length, developmentRows: 10 }];
  const ask = (
    connection: DuckDBConnection,
    whole: EventSource,
    fromUs: number,
    beforeUs: number,
  ) => countOver(connection, whole, 'summary', { ...OF_APP, fromUs, beforeUs, limit: 9 });
  await duck.query({ files }, async (connection, whole) => {
    const all = await ask(connection, whole, 0, 100_000);
    expect([all.events, all.people]).toEqual([40, 40]);
    // Cut by the window, and of another environment.
    for (const [from, before] of [
      [0, 7],
      [20, 50],
      [10, 11],
    ] as const) {
      const counted = own
        .slice(from, before)
        .filter(({ environment }) => environment === 'production');
      const cut = await ask(nobody, whole, from * 1_000, before * 1_000);
      expect([cut.events, cut.people]).toEqual([counted.length, counted.length]);
      const onIos = counted.filter(({ platform }) => platform === 'ios').length;
      expect(cut.platforms.find(({ value }) => value === 'ios')?.people ?? 0).toBe(onIos);
    }
    const steps = [{ event: 'opened' }];
    const funnel = { steps, fromUs: 0, startBeforeUs: 50_000, windowUs: 1, filters: {} };
    const { total } = await countOver(nobody, { ...whole, environment: 'development' }, 'funnel', {
      ...OF_APP,
      ...funnel,
      breakdown: null,
      trendFromUs: null,
    });
    expect(total.people).toEqual([5]);
    const ofOther = { ...whole, appId: 'app_other', files: [{ ...written, rows: 70 }] };
    expect((await ask(connection, ofOther, 0, 100_000)).events).toBe(56);
    expect((await ask(nobody, ofOther, 0, 30_000)).events).toBe(24);
    expect((await ask(nobody, whole, 0, 30_000)).events).toBe(24);
  });
});

test('files are not read into memory where their properties are too long for it', async () => {
  const rows = Array.from({ length: 100 }, (_, n) =>
    eventRow({
      name: 'opened',
      appId: APP,
      anonymousId: `device-${n}`,
      props: JSON.stringify({ text: 'long' }),
    }),
  );
  const files = [await duck.writeFile(rows)];
  await duck.query({ files }, async (connection, source) => {
    const from = must(fileEvents(selectEvents(source, {}), PROJECTED_COLUMNS), 'a file');
    const parts = [{ from, rows: 100 }];
    expect(await readFileRows(connection, parts, 1_000)).toBeNull();
    const [read] = must(await readFileRows(connection, parts, 10_000), 'rows');
    expect(read?.rows.length).toBe(100);
  });
});
