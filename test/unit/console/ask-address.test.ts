import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { askAt, framedAt, openedAt } from '../../../src/console/pages/questions/asked-at.ts';
import { keptIn, pinOf } from '../../../src/console/pages/questions/kept-question.ts';
import { savedParameters } from '../../../src/console/pages/questions/saved-parameters.ts';
import { askedOf } from '../../../src/console/pages/today/pinned-drawing.ts';
import {
  askFrom,
  NOTHING_ASKED,
  parametersOf,
} from '../../../src/console/pages/questions/from-page.ts';
import {
  type Ask,
  DOORS,
  type Frame,
  questionsOf,
  readAsk,
} from '../../../src/console/state/ask.ts';
import type { Funnel } from '../../../src/console/state/funnels.ts';
import { rangeOf, resolveRange } from '../../../src/console/state/ranges.ts';
import { questions as texts } from '../../../src/console/texts/questions.ts';

const frame: Frame = {
  window: { days: 28 },
  environment: 'production',
  interval: 'week',
  periods: 12,
};
const funnelOf = (id: string, events: readonly string[]) =>
  ({ id, steps: events.map((event) => ({ event, label: event })) }) as unknown as Funnel;
const FUNNELS = [
  funnelOf('fun_1', ['app_opened', 'paywall_viewed']),
  funnelOf('fun_2', ['a', 'b,c', 'd']),
];

const name = fc.constantFrom('app_opened', 'paywall_viewed', 'a', 'b,c', 'd');
const condition = fc.oneof(
  fc.record({
    field: fc.constantFrom('platform', 'country', 'appVersion', 'prop:plan', 'prop:a=b'),
    op: fc.constant('is' as const),
    value: fc.constantFrom('ios', '1', '=', 'unknown', 'ü&?'),
  }),
  fc.record({ field: fc.constant('prop:plan'), op: fc.constant('isSet' as const) }),
  fc.record({ segment: fc.constant('seg_1'), is: fc.boolean() }),
);
const where = fc
  .tuple(fc.constantFrom('all', 'any'), fc.array(condition, { minLength: 1, maxLength: 3 }))
  .map(([word, all]) => (word === 'all' ? { all } : { any: all }));
const selection = fc.record(
  { events: fc.array(name, { minLength: 1, maxLength: 2 }), where },
  { requiredKeys: [] },
);
const by = fc.constantFrom('platform', 'appVersion', 'arm', 'prop:plan', 'first:country');
const steps = fc.oneof(
  fc.array(selection, { minLength: 2, maxLength: 4 }),
  fc.constantFrom(...FUNNELS).map((one) => one.steps.map(({ event }) => ({ events: [event] }))),
);
const asks = fc.oneof(
  fc.record(
    {
      kind: fc.constant('trend' as const),
      series: fc.array(selection, { minLength: 1, maxLength: 3 }),
      measure: fc.record({ of: fc.constantFrom('people' as const, 'events' as const) }),
      breakdown: by,
    },
    { requiredKeys: ['kind', 'series', 'measure'] },
  ),
  fc.record(
    {
      kind: fc.constant('funnel' as const),
      ...{ steps, where, breakdown: by },
      people: fc.constantFrom('all' as const, 'new' as const),
      windowHours: fc.constantFrom(1, 336),
      order: fc.constantFrom('in_order' as const, 'strict' as const),
    },
    { requiredKeys: ['kind', 'steps'] },
  ),
  fc.record(
    {
      kind: fc.constant('retention' as const),
      starts: fc.array(selection, { minLength: 1, maxLength: 2 }),
      return: selection,
      breakdown: by,
      cohort: fc.constantFrom('first' as const, 'recurring' as const),
      criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
      clock: fc.constantFrom('calendar' as const, 'hours' as const),
    },
    { requiredKeys: ['kind', 'starts', 'return'] },
  ),
  fc.record({ kind: fc.constant('lifecycle' as const), selection }),
);

const USUAL: Readonly<Record<string, string>> = {
  ...{ cohort: 'first', criterion: 'on', clock: 'calendar', people: 'all' },
};

/** Conditions that hold together have no order, nor have fields. */
function ordered(value: unknown, turn: <T>(list: T[]) => T[], name = ''): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => ordered(one, turn));
    return name === 'all' || name === 'any' ? turn(list) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = turn(Object.entries(value));
  return Object.fromEntries(entries.map(([key, one]) => [key, ordered(one, turn, key)]));
}
const sorted = <T>(list: T[]): T[] =>
  list
    .map((one) => ({ one, text: JSON.stringify(one) }))
    .toSorted((a, b) => a.text.localeCompare(b.text))
    .map(({ one }) => one);

/** What the API is asked, without words that say what holds anyway. */
const askedBy = (ask: Ask) =>
  questionsOf(ask, frame).map((question) =>
    ordered(
      Object.fromEntries(Object.entries(question).filter(([key, value]) => USUAL[key] !== value)),
      sorted,
    ),
  );

const knownIn = (parameters: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));

/** What a page asks at an address with these parameters. */
function askAgain(ask: Ask, parameters: Readonly<Record<string, string | undefined>>) {
  const query = Object.fromEntries(
    Object.entries(parameters).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
  const read = Object.fromEntries(new URLSearchParams(query));
  return readAsk(read.q) ?? askFrom(DOORS[ask.kind], read, FUNNELS);
}

test('an address asks again what it was made of, in plain words or whole', () => {
  fc.assert(
    fc.property(asks, (ask) => {
      const parameters = parametersOf(ask, FUNNELS);
      const again = askAgain(ask, parameters);
      expect(again && askedBy(again)).toEqual(askedBy(ask));
    }),
    { numRuns: 500 },
  );
});

test('what a page has always said in its address stays in plain words', () => {
  for (const [kind, parameters] of [
    ['trend', { event: 'app_opened,paywall_viewed', platform: 'ios' }],
    ['trend', { event: 'app_opened', breakdown: 'appVersion', chart: 'events' }],
    ['funnel', { funnel: 'fun_2', breakdown: 'none', people: 'new', windowHours: '24' }],
    ['funnel', { people: 'all', country: 'DE' }],
    ['trend', { event: 'app_opened', platform: 'ios', country: 'DE', property: 'plan=1' }],
    ['retention', { starts: 'app_opened', cohort: 'recurring', clock: 'hours' }],
  ] as const) {
    const ask = askFrom(DOORS[kind], parameters, FUNNELS);
    const turned = ordered(ask, (list) => list.toReversed()) as Ask;
    for (const one of [ask, turned]) {
      expect(one && knownIn(parametersOf(one, FUNNELS))).toEqual(parameters);
    }
  }
});

test('a saved question opens with all that was asked, but for which count is drawn', () => {
  fc.assert(
    fc.property(asks, (ask) => {
      const [question, second] = questionsOf(ask, frame);
      if (!question || second) return;
      const parameters = savedParameters({ id: 'qst_1', question }, FUNNELS);
      expect(parameters).toMatchObject({ saved: 'qst_1', days: '28', environment: 'production' });
      const again = askAgain(ask, parameters);
      expect(again && askedBy(again)).toEqual(askedBy(ask));
    }),
    { numRuns: 500 },
  );
});

test('a saved question that says nothing is opened once, and in the range of its address', () => {
  const question = { kind: 'series' as const, series: [{}], days: 28 };
  const opened = knownIn(savedParameters({ id: 'qst_1', question }, FUNNELS));
  expect(opened).toEqual({ saved: 'qst_1', as: 'trend', days: '28' });
  expect(Object.keys(NOTHING_ASKED)).toContain('as');
  const ofDates = { from: '2026-03-01', to: '2026-03-07', environment: 'all' };
  expect(knownIn(savedParameters({ id: 'qst_1', question }, FUNNELS, ofDates))).toEqual({
    ...{ saved: 'qst_1', as: 'trend' },
    ...ofDates,
  });
});

const TODAY = '2026-11-30';
type Address = Record<string, string>;
const ranges = fc.constantFrom<Address>(
  ...[{}, { days: '1' }, { days: '7' }, { days: '90' }, { days: '365' }, { days: 'today' }],
  ...[{ days: 'yesterday' }, { days: 'month' }, { from: '2026-11-02', to: '2026-11-03' }],
  ...[{ from: '2026-09-30', to: '2026-11-30' }],
);
const drawn = fc.record(
  {
    interval: fc.constantFrom('hour', 'day', 'week', 'month'),
    environment: fc.constantFrom('development', 'all'),
    compare: fc.constant('previous'),
    draw: fc.constantFrom('area', 'bar'),
    only: fc.constantFrom('ios', '\u0000other', 'a b'),
  },
  { requiredKeys: [] },
);
const measured = fc.record(
  {
    kind: fc.constant('trend' as const),
    series: fc.array(selection, { minLength: 1, maxLength: 2 }),
    measure: fc.constantFrom(
      { of: 'sessions' as const },
      {
        ...{ of: 'property' as const, statistic: 'median' as const, property: 'price' },
        per: 'event' as const,
      },
    ),
    breakdown: by,
  },
  { requiredKeys: ['kind', 'series', 'measure'] },
);
const paths = fc.record({
  kind: fc.constant('paths' as const),
  selection,
  direction: fc.constantFrom('after' as const, 'before' as const),
});

/** All that is asked of the API at an address, and how it is drawn. */
function settingAt(door: (typeof DOORS)[Ask['kind']], query: Address) {
  const ask = askAt(door, query, FUNNELS);
  const range = resolveRange(rangeOf(query), TODAY);
  const { frame } = framedAt(ask.kind, query, range);
  const { draw, compare, only } = query;
  const questions = questionsOf(ask, frame).map((one) => ordered(one, sorted));
  return { ask, range, frame, shown: { questions, draw, compare, only } };
}

test('a setting is saved, opened again and pinned as it was, or the reason stands there', () => {
  const reasons = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(asks, measured, paths), ranges, drawn, (ask, range, how) => {
      const door = DOORS[ask.kind];
      const query = knownIn({ ...parametersOf(ask, FUNNELS), ...range, ...how }) as Address;
      const { shown, ...asked } = settingAt(door, query);
      const kept = keptIn({ query, ...asked } as Parameters<typeof keptIn>[0]);
      const pin = pinOf({ door, query }, { id: 'qst_1', name: 'Saved' });
      const pinned = askedOf(
        kept.view === undefined ? pin : { ...pin, query: kept.view },
        kept.question && { id: 'qst_1', question: kept.question },
        FUNNELS,
      );
      if (kept.why !== undefined) {
        reasons.add(kept.why);
        return;
      }
      const { ask: onCard, parameters = {} } = pinned ?? {};
      expect(onCard && settingAt(DOORS[onCard.kind], knownIn(parameters) as Address).shown).toEqual(
        shown,
      );
      if (!kept.question) return;
      const link = Object.fromEntries(new URLSearchParams(pin.query));
      const opened = openedAt(link, { id: 'qst_1', question: kept.question }, FUNNELS);
      expect(settingAt(door, knownIn(opened) as Address).shown).toEqual(shown);
    }),
    { numRuns: 500 },
  );
  expect([...reasons]).toEqual([texts.onlyOne]);
});
