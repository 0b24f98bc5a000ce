import { expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import type { Question } from '../../../clients/api/src/index.ts';
import { type Behind, ruleOfPeople } from '../../../src/console/state/people-rule.ts';
import { readRule } from '../../../src/console/state/read-rule.ts';
import { SegmentRule } from '../../../src/modules/segments/model.ts';
import { isSelected } from '../../support/asked-reference.ts';
import { eventRow } from '../../support/event-source.ts';
import { lifecycleOf } from '../../support/lifecycle-reference.ts';
import { isInSegment, peopleOfSegment } from '../../support/segment-reference.ts';
import type { PlainEvent } from '../../support/stitched-events.ts';

/** A zone of no summer time, so that a day is plain. */
const ZONE = 'Asia/Kolkata';
const DAY_MS = 86_400_000;
const dayMs = (day: string) => Date.parse(`${day}T00:00:00+05:30`);
const FIRST = dayMs('2026-09-28');
const DAYS = 70;
const dayAt = (place: number) =>
  new Date(FIRST + place * DAY_MS + 5.5 * 3_600_000).toISOString().slice(0, 10);

type Interval = 'day' | 'week' | 'month';
/** Where intervals begin: found by walking the days. */
function beginnings(interval: Interval): number[] {
  const found: number[] = [];
  for (let place = -60; place < DAYS + 60; place += 1) {
    const day = dayAt(place);
    const isMonday = new Date(`${day}T12:00:00Z`).getUTCDay() === 1;
    const begins = { day: true, week: isMonday, month: day.endsWith('-01') };
    if (begins[interval]) found.push(dayMs(day));
  }
  return found;
}

const PERSON = ['one', 'two', 'three', 'four', 'five', 'six'];
const RULES = { seg_a: { all: [{ did: { events: ['closed'] }, atLeast: 2 }] } };
const events = fc.array(
  fc.record({
    person: fc.constantFrom(...PERSON),
    name: fc.constantFrom('opened', 'bought', 'closed'),
    platform: fc.constantFrom('ios', 'web'),
    hour: fc.nat(DAYS * 24 - 1),
  }),
  { minLength: 20, maxLength: 90 },
);
const leaf = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      field: fc.constant('platform'),
      op: fc.constantFrom('is' as const, 'isNot' as const),
      value: fc.constantFrom('ios', 'web'),
    }),
  },
  fc.record({ segment: fc.constant('seg_a'), is: fc.boolean() }),
  fc.constant({ field: 'first:platform', op: 'is' as const, value: 'ios' }),
);
const parts = fc.array(leaf, { minLength: 1, maxLength: 2 });
const where = fc.oneof(
  parts.map((all) => ({ all })),
  parts.map((any) => ({ any })),
  parts.map((any) => ({ all: [{ any }] })),
);
const selection = fc.record(
  { events: fc.subarray(['opened', 'bought'], { minLength: 1 }), where },
  { requiredKeys: [] },
);
const window = fc
  .tuple(fc.nat(DAYS - 1), fc.nat(30))
  .map(([from, more]) => ({ from: dayAt(from), to: dayAt(from + more) }));
const environment = fc.constantFrom(...(['production', 'production', 'development'] as const));
const interval = fc.constantFrom(...(['day', 'week', 'month'] as const));
const place = fc.nat(DAYS - 1);
const some = { environment };
const points = fc.record({ interval: fc.oneof(interval, fc.constant('hour' as const)), place });
const state = fc.constantFrom('new', 'returning', 'resurrected', 'dormant');
const asked = fc.oneof(
  fc.record({
    kind: fc.constant('series'),
    series: fc.array(selection, { minLength: 2, maxLength: 2 }),
    of: fc.constantFrom(1, 2),
    points,
    ...some,
  }),
  fc.record({ kind: fc.constant('measures'), selection, points, ...some }),
  fc.record({ kind: fc.constant('lifecycle'), selection, points, state, ...some }),
  fc.record(
    {
      ...{
        kind: fc.constant('funnel'),
        steps: fc.array(selection, { minLength: 2, maxLength: 2 }),
      },
      ...{ where, people: fc.constantFrom('all', 'new'), window, ...some },
      ...{ step: fc.constantFrom(1, 1, 2), dropped: fc.constantFrom(false, false, true) },
      order: fc.constantFrom('in_order', 'strict', 'any'),
    },
    { requiredKeys: ['kind', 'steps', 'window', 'environment', 'step', 'dropped'] },
  ),
  fc.record({
    ...{ kind: fc.constant('retention'), start: selection, return: selection, interval },
    ...{ cohort: fc.constantFrom('first', 'recurring'), window, ...some },
    ...{ criterion: fc.constantFrom('on', 'on_or_after') },
    ...{ clock: fc.constantFrom('calendar', 'calendar', 'hours') },
    ...{ cohortIndex: fc.nat(3), period: fc.nat(3) },
  }),
);

/** In the words of the API. */
function behindOf(one: any): Behind {
  const { kind, environment: of } = one;
  const question = (own: object) => ({ kind, environment: of, ...own }) as Question;
  if (kind === 'funnel') {
    const { steps, where: entry, people, order } = one;
    const own = { steps, ...one.window, ...(entry && { where: entry }), ...(people && { people }) };
    const figure = { of: 'step' as const, step: one.step, dropped: one.dropped };
    return { question: question({ ...own, ...(order && { order }) }), figure };
  }
  if (kind === 'retention') {
    const { start, return: back, cohort, criterion, clock } = one;
    const own = { start, return: back, cohort, criterion, clock, interval: one.interval };
    const { cohortIndex, period } = one;
    return {
      question: question({ ...own, ...one.window }),
      figure: { of: 'cohort', cohortIndex, period },
    };
  }
  const { interval: each } = one.points;
  const point = new Date(spanOf(one)[1]).toISOString();
  const own = { interval: each, days: 28 };
  if (kind === 'series') {
    const figure = { of: 'point' as const, series: one.of, point };
    return { question: question({ series: one.series, ...own }), figure };
  }
  const asSelected = question({
    ...own,
    ...{ selection: one.selection, ...(kind === 'measures' && { measure: { of: 'people' } }) },
  });
  return kind === 'measures'
    ? { question: asSelected, figure: { of: 'point', point } }
    : { question: asSelected, figure: { of: 'state', point, state: one.state } };
}

/** Beginnings of the interval before, the one that was pointed at, and the next. */
function spanOf({ points: { interval: each, place: at } }: any): [number, number, number] {
  const all = beginnings(each === 'hour' ? 'day' : each);
  const index = all.findLastIndex((start) => start <= dayMs(dayAt(at)));
  return [all[index - 1]!, all[index]!, all[index + 1]!];
}

/** The people of the list, by its definition and plain loops. */
function listOf(one: any, plain: readonly PlainEvent[]): string[] {
  const timesOf = (person: string, selected: any) =>
    plain.flatMap((event) =>
      event.person === person && isSelected(event.row, selected)
        ? [event.row.occurredAtUs / 1_000]
        : [],
    );
  const within = (times: number[], from: number, before: number) =>
    times.some((time) => time >= from && time < before);
  const who = (is: (person: string) => boolean) => PERSON.filter(is).toSorted();
  if (one.kind === 'series' || one.kind === 'measures') {
    const [, from, before] = spanOf(one);
    const selected = one.kind === 'series' ? one.series[one.of - 1] : one.selection;
    return who((person) => within(timesOf(person, selected), from, before));
  }
  if (one.kind === 'lifecycle') {
    const visits = PERSON.flatMap((person) =>
      timesOf(person, one.selection).map((at) => ({ person, at })),
    );
    const [counts] = lifecycleOf(visits, spanOf(one));
    return counts![one.state as 'new'].toSorted();
  }
  if (one.kind === 'funnel') {
    const [from, before] = [dayMs(one.window.from), dayMs(one.window.to) + DAY_MS];
    const isNew = (person: string) => !timesOf(person, {}).some((time) => time < from);
    return who(
      (person) =>
        within(timesOf(person, one.steps[0]), from, before) &&
        (one.people !== 'new' || isNew(person)) &&
        (!one.where || timesOf(person, { where: one.where }).length > 0),
    );
  }
  const all = beginnings(one.interval);
  const first = all.findLastIndex((start) => start <= dayMs(one.window.from));
  const [from, before] = [all[first + one.cohortIndex]!, all[first + one.cohortIndex + 1]!];
  const [back, end] = [
    all[first + one.cohortIndex + one.period]!,
    one.criterion === 'on' ? all[first + one.cohortIndex + one.period + 1]! : Infinity,
  ];
  return who((person) => {
    const starts = timesOf(person, one.start);
    const isFirst = !starts.some((time) => time < from);
    const began = within(starts, from, before) && (one.cohort === 'recurring' || isFirst);
    return began && (one.period === 0 || within(timesOf(person, one.return), back, end));
  });
}

const saved = { rules: 0, refused: new Set<string>() };

test('a rule that is offered says exactly the people of the list', () => {
  fc.assert(
    fc.property(events, asked, (made, one) => {
      const found = ruleOfPeople(behindOf(one), ZONE);
      if ('why' in found) {
        saved.refused.add(found.why);
        return;
      }
      saved.rules += 1;
      expect(Value.Check(SegmentRule, found.rule)).toBe(true);
      const plain = made.map(({ person, name, platform, hour }) => ({
        person,
        row: eventRow({
          ...{ name, platform, anonymousId: person },
          occurredAtUs: (FIRST + hour * 3_600_000) * 1_000,
        }),
      }));
      const world = {
        ...{ plain, segments: RULES, entitled: {}, nowUs: Infinity, beforeUs: Infinity },
        dayUs: (day: string) => dayMs(day) * 1_000,
      };
      const known = plain.map(({ person, row }) => {
        const memberOf = new Set(isInSegment(RULES.seg_a, person, world) ? ['seg_a'] : []);
        return { person, row: { ...row, memberOf } };
      });
      expect(peopleOfSegment(found.rule, world)).toEqual(listOf(one, known));
    }),
    { numRuns: Number(process.env.TEST_FULL ? 5_000 : 800) },
  );
  expect(saved.rules).toBeGreaterThan(100);
  expect([...saved.refused].toSorted()).toEqual([
    ...['clock', 'conditions', 'environment', 'hours', 'order'],
  ]);
});

test('an interval of a chart is that interval, and its end is not lost', () => {
  const series = [{ events: ['opened'] }, { events: ['bought'] }];
  const question = { kind: 'series', series, days: 7, interval: 'week' } as const;
  const figure = { of: 'point', series: 2, point: '2026-10-31T18:30:00.000Z' } as const;
  expect(ruleOfPeople({ question: { ...question, series }, figure }, ZONE)).toEqual({
    rule: { all: [{ did: { events: ['bought'] }, since: '2026-11-01', before: '2026-11-08' }] },
  });
});

const clause = fc.oneof(
  fc.record({ did: selection, atLeast: fc.nat(1_000), since: fc.constant('2026-11-01') }),
  fc.record({ didNot: selection, withinDays: fc.integer({ min: 1, max: 3_650 }) }),
  fc.record({ firstSeen: fc.record({ before: fc.constant('2026-11-01') }) }),
  fc.record({ experiment: fc.constant('exp_1'), arm: fc.constant('arm_1'), is: fc.boolean() }),
  fc.record({ entitled: fc.boolean(), productId: fc.constant('pro') }),
  fc.record({ paying: fc.boolean(), entitlement: fc.constant('pro') }),
  fc.record({ segment: fc.constant('seg_1') }),
);
const rule = fc
  .tuple(fc.constantFrom('all', 'any'), fc.array(clause, { minLength: 1, maxLength: 3 }))
  .map(([word, clauses]) => ({ [word]: clauses }));
const OTHER_TYPES = [null, 5, true, [], {}, [5], [null], 'other'];

/** Every value in it, with the way there. */
const waysIn = (value: unknown, way: readonly string[] = []): string[][] => [
  [...way],
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => waysIn(inner, [...way, key]))
    : []),
];

function replaced(value: any, [key, ...way]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  const inner = replaced(value[key], way, next);
  if (Array.isArray(value)) return value.with(Number(key), inner);
  return { ...value, [key]: inner };
}

test('a rule in an address is read where the API would, and otherwise left out', () => {
  fc.assert(
    fc.property(rule, fc.nat(), fc.constantFrom(...OTHER_TYPES), (given, at, next) => {
      expect(readRule(JSON.stringify(given))).toEqual(given as never);
      const ways = waysIn(given);
      const way = ways[at % ways.length]!;
      const before = way.reduce((value: any, key) => value[key], given);
      // Patterns and bounds are the API's to refuse, with the place.
      if (typeof before === 'string' && typeof next === 'string') return;
      const changed = replaced(given, way, next);
      const read = readRule(JSON.stringify(changed));
      expect([changed, read !== undefined]).toEqual([changed, Value.Check(SegmentRule, changed)]);
    }),
    { numRuns: Number(process.env.TEST_FULL ? 20_000 : 1_500) },
  );
  for (const wrong of ['', 'x', '{}', '{"all":[]}', '{"all":[{"did":null}]}', '{"entitled":5}']) {
    expect(readRule(wrong)).toBeUndefined();
  }
});
