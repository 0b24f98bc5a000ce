import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { keyWords } from '../../../src/event-store/read.ts';
import type { SegmentRule } from '../../../src/modules/segments/model.ts';
import { resolveRule } from '../../../src/modules/segments/rules/resolve-rule.ts';
import type { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import { findMembers } from '../../../src/query/memberships.ts';
import { keyTexts } from '../../../src/query/reading/projection/members.ts';
import type { EventFile, EventSource } from '../../../src/query/reading/source/events.ts';
import { must } from '../../../src/shared/assert.ts';
import { openDuckAndThreads } from '../../support/duck-and-threads.ts';
import { eventRow } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { clause, HOUR_US, HOURS, ruleOf } from '../../support/random-segments.ts';
import { byDuck, nobody } from '../../support/readers.ts';
import { peopleOfSegment } from '../../support/segment-reference.ts';
import { asLarge } from '../../support/stitched-events.ts';

/*
 * Members are found again and again while files come and go, events and sign-ins arrive, time passes
 * and the rule changes: what is kept of one question must be right for the next.
 */
const { duck, together } = await openDuckAndThreads(2);

const PLACES = ['a', 'b', 'c', 'log'] as const;
const shape = fc.record({
  name: fc.constantFrom('opened', 'opened', 'bought', 'closed', '$exposure'),
  device: fc.nat(9),
  user: fc.option(fc.constantFrom('user-0', 'user-1', 'user-2'), { freq: 2 }),
  at: fc.integer({ min: 0, max: HOURS }),
  platform: fc.constantFrom('ios', 'web', null),
  plan: fc.integer({ min: 0, max: 9 }),
  isProduction: fc.constantFrom(true, true, true, false),
  place: fc.constantFrom(...PLACES),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const rowOf = (
  { name, device, user, at, platform, plan, isProduction }: Shape,
  arrival: number,
): EventRow =>
  eventRow({
    ...{ name, platform, arrival, anonymousId: `device-${device}`, userId: user },
    personId: user ?? `device-${device}`,
    occurredAtUs: at * HOUR_US,
    props: plan === 9 ? null : JSON.stringify({ plan: plan === 8 ? 'other' : plan }),
    environment: isProduction ? 'production' : 'development',
  });

const moment = fc.record({
  files: fc.subarray(['a', 'b', 'c'] as const, { minLength: 1 }),
  logged: fc.nat(20),
  late: fc.subarray([0, 1, 2, 3]),
  nowHours: fc.integer({ min: 0, max: HOURS + 48 }),
  rule: fc.nat(1),
  hasThreads: fc.boolean(),
});
type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never;
/** Mostly one thing changes from one question to the next. */
const changes = fc.oneof(
  moment.map((all): Partial<Moment> => all),
  ...(['files', 'logged', 'late', 'nowHours', 'rule', 'hasThreads'] as const).map((field) =>
    moment.map((all): Partial<Moment> => ({ [field]: all[field] })),
  ),
);
const moments = fc
  .tuple(moment, fc.array(changes, { minLength: 2, maxLength: 8 }))
  .map(([first, rest]) => {
    const all = [first];
    for (const change of rest) all.push({ ...all.at(-1)!, ...change });
    return all;
  });

const wholeOf = (source: Partial<EventSource>): Partial<EventSource> => ({
  lateAliases: [],
  ...source,
});

const rule = ruleOf(clause.filter((one) => !('entitled' in one)));
const ALIASES = [0, 1, 2, 3].map((n) => ({ anonymousId: `device-${n}`, userId: `user-${n % 3}` }));

async function membersIn(
  source: Partial<EventSource>,
  rules: ReturnType<typeof resolveRule>,
  beforeUs: number,
  threads: CountingThreads | null = null,
): Promise<string[]> {
  return duck.query(wholeOf(source), async (connection, whole) => {
    const run = { connection, threads, checkTime: () => undefined };
    const membership = { id: 'seg_a', asOf: 'now' as const, beforeUs, rules };
    const sources = { ofMembers: whole, ofQuestion: whole };
    const { members } = await findMembers(run, sources, [membership]);
    return keyTexts(must(members.seg_a, 'it was asked for'), 'named').toSorted();
  });
}

const keysOfPeople = (people: readonly string[]): string[] =>
  people
    .map((id) =>
      keyWords(id)
        .map((word) => word.toString(16).padStart(8, '0'))
        .join(''),
    )
    .toSorted();

const resolved = (of: SegmentRule, nowUs: number) =>
  resolveRule(of, {
    ...{ nowUs, timezone: 'UTC', rules: new Map(), startsUs: new Map(), entitled: new Map() },
  });

test('what is kept of members is right after files, events, sign-ins, time and rules changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(shape, { maxLength: 60 }),
      fc.tuple(rule, rule),
      moments,
      async (shapes, rules, drawn) => {
        const rows = shapes.map((one, arrival) => ({ place: one.place, row: rowOf(one, arrival) }));
        const rowsIn = (places: readonly string[]) =>
          rows.filter(({ place }) => places.includes(place)).map(({ row }) => row);
        const files = new Map<string, EventFile>();
        for (const place of ['a', 'b', 'c']) {
          const own = rowsIn([place]);
          if (own.length === 0) continue;
          const file = await duck.writeFile(own, { level: 1 });
          files.set(place, place === 'c' ? file : asLarge(file));
        }
        for (const asked of drawn) {
          const hotRows = rowsIn(['log']).slice(0, asked.logged);
          const lateAliases = ALIASES.filter((_, n) => asked.late.includes(n));
          const users = new Map(lateAliases.map((one) => [one.anonymousId, one.userId]));
          const plain = [...rowsIn(asked.files), ...hotRows]
            .filter(
              ({ environment, name }) => environment === 'production' && !name.startsWith('$'),
            )
            .map((row) => ({ row, person: row.userId ?? users.get(row.personId) ?? row.personId }));
          const of = rules[asked.rule]!;
          const nowUs = asked.nowHours * HOUR_US;
          const beforeUs = nowUs + 600_000_000;
          const world = { plain, segments: {}, entitled: {}, nowUs, beforeUs };
          const source = {
            files: asked.files.flatMap((place) => files.get(place) ?? []),
            hotRows: hotRows.filter(({ environment }) => environment === 'production'),
            lateAliases,
          };
          const found = await membersIn(
            source,
            resolved(of, nowUs),
            beforeUs,
            asked.hasThreads ? together : null,
          );
          expect(found).toEqual(keysOfPeople(peopleOfSegment(of, world)));
        }
      },
    ),
    isFullRun ? { numRuns: 3_000 } : { numRuns: 40, seed: 33 },
  );
});

/** Its rows cannot be read any more. */
const unreadable = (file: EventFile): EventFile => ({
  ...file,
  projection: file.projection && {
    ...file.projection,
    sections: file.projection.sections.map((section) => ({
      ...section,
      get steps(): Uint8Array {
        throw new Error('A row is read again.');
      },
    })),
  },
});

const opened = (device: string, at: number) =>
  eventRow({ name: 'opened', anonymousId: device, occurredAtUs: at * HOUR_US });
const OFTEN: SegmentRule = { all: [{ did: { events: ['opened'] }, atLeast: 2 }] };
const ONCE: SegmentRule = { all: [{ did: { events: ['opened'] }, exactly: 1 }] };

test('files are counted once, whatever number of times a rule wants and the log adds', async () => {
  const file = asLarge(
    await duck.writeFile([opened('one', 1), opened('two', 1), opened('two', 2)], { level: 1 }),
  );
  const of = (rule: SegmentRule, source: Partial<EventSource>) =>
    membersIn(source, resolved(rule, 9 * HOUR_US), 9 * HOUR_US);
  expect(await of(OFTEN, { files: [file] })).toEqual(keysOfPeople(['two']));
  const counted = unreadable(file);
  expect(await of(OFTEN, { files: [counted] })).toEqual(keysOfPeople(['two']));
  expect(await of(ONCE, { files: [counted] })).toEqual(keysOfPeople(['one']));
  const hotRows = [opened('one', 3), opened('three', 3)];
  expect(await of(OFTEN, { files: [counted], hotRows })).toEqual(keysOfPeople(['one', 'two']));
  const signedIn = { lateAliases: [{ anonymousId: 'one', userId: 'two' }] };
  expect(await of(OFTEN, { files: [counted], ...signedIn })).toEqual(keysOfPeople(['two']));
  expect(await of(ONCE, { files: [counted], ...signedIn })).toEqual([]);
  const later = asLarge(await duck.writeFile([opened('one', 4)], { level: 1 }));
  const both = { files: [counted, later] };
  expect(await of(OFTEN, both)).toEqual(keysOfPeople(['one', 'two']));
  const again = { files: [counted, unreadable(later)] };
  expect(await of(OFTEN, again)).toEqual(keysOfPeople(['one', 'two']));
});

test('a file that the moment cuts is counted up to it', async () => {
  const file = asLarge(await duck.writeFile([opened('one', 1), opened('one', 5)], { level: 1 }));
  const at = (hours: number) =>
    membersIn({ files: [file] }, resolved(ONCE, hours * HOUR_US), hours * HOUR_US);
  expect(await at(3)).toEqual(keysOfPeople(['one']));
  expect(await at(4)).toEqual(keysOfPeople(['one']));
  expect(await at(5.5)).toEqual([]);
  expect(await at(1)).toEqual([]);
});

test('while somebody is being erased, members are found anew and by DuckDB', async () => {
  const file = asLarge(await duck.writeFile([opened('one', 1), opened('two', 1)], { level: 1 }));
  const of = (source: Partial<EventSource>) =>
    membersIn(source, resolved(ONCE, 9 * HOUR_US), 9 * HOUR_US);
  expect(await of({ files: [file] })).toEqual(keysOfPeople(['one', 'two']));
  expect(await of(byDuck({ files: [file] }))).toEqual(keysOfPeople(['one', 'two']));
  expect(await of({ files: [file], erased: ['one'] })).toEqual(keysOfPeople(['two']));
});

test('projections find members without a statement', async () => {
  const file = asLarge(await duck.writeFile([opened('one', 1)], { level: 1 }));
  const source: EventSource = {
    ...{ orgId: 'org_test', appId: 'app_test', environment: 'production', files: [file] },
    ...{ hotRows: [], lateAliases: [], sharesIds: false, erased: [], dataThroughMs: 0 },
  };
  const run = { connection: nobody, threads: null, checkTime: () => undefined };
  const membership = { id: 'seg_a', asOf: 'now' as const, beforeUs: 9 * HOUR_US };
  const rules = resolved(ONCE, 9 * HOUR_US);
  const { members } = await findMembers(run, { ofMembers: source, ofQuestion: source }, [
    { ...membership, rules },
  ]);
  expect(keyTexts(must(members.seg_a, 'it was asked for'), 'anonymous')).toEqual(
    keysOfPeople(['one']),
  );
});
