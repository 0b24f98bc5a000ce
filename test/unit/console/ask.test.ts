import { describe, expect, test } from 'bun:test';
import { askWords } from '../../../src/console/state/ask-words.ts';
import {
  type Ask,
  ASK_KINDS,
  askOf,
  askParameters,
  begin,
  questionsOf,
  readAsk,
} from '../../../src/console/state/ask.ts';

const frame = {
  window: { days: 28 },
  environment: 'production',
  interval: 'week',
  periods: 12,
} as const;
const where = { all: [{ field: 'platform', op: 'is' as const, value: 'ios' }] };
const ASKS: readonly Ask[] = [
  ...ASK_KINDS.map((kind) => begin(kind)),
  { kind: 'trend', series: [{ where }], measure: { of: 'people' }, breakdown: 'prop:term' },
  { kind: 'trend', series: [{ where }], measure: { of: 'sessionLength' } },
  {
    kind: 'funnel',
    steps: [{ events: ['a'] }, { events: ['b'], where }],
    where,
    exclusions: [{ selection: { events: ['c'] }, after: 1, before: 2 }],
    order: 'strict',
    people: 'new',
  },
  { kind: 'retention', starts: [{ where }], return: { events: ['a'] }, cohort: 'first' },
  { kind: 'paths', selection: { events: ['account_deleted'] }, direction: 'before' },
];

describe('what is asked', () => {
  test('stands in the address and is read from it as it was', () => {
    for (const ask of ASKS) expect(readAsk(askParameters(ask).q)).toEqual(ask);
  });

  test('is a question of the API, and is found again in it', () => {
    for (const ask of ASKS) {
      const [question, ...others] = questionsOf(ask, frame);
      expect(others).toEqual([]);
      if (question) expect(askOf(question)).toEqual(ask);
    }
  });

  test('of several series by a number is a question each, and so are two groups of retention', () => {
    const measure = { of: 'sessions' as const };
    const trend: Ask = { kind: 'trend', series: [{ where }, {}], measure };
    expect(questionsOf(trend, frame).map(({ kind }) => kind)).toEqual(['measures', 'measures']);
    const retention: Ask = { kind: 'retention', starts: [{ where }, {}], return: {} };
    expect(questionsOf(retention, frame)).toHaveLength(2);
  });

  test('of an address that somebody changed by hand is nothing where it cannot be drawn', () => {
    for (const text of ['', 'nonsense', '{}', '{"kind":"trend","series":[]}', '{"kind":"paths"}']) {
      expect(readAsk(text)).toBeUndefined();
    }
    const broken = { kind: 'funnel', steps: [{ where: { all: [7] } }, {}] };
    expect(readAsk(JSON.stringify(broken))).toBeUndefined();
  });

  test('is said in a line', () => {
    expect(ASKS.slice(ASK_KINDS.length).map(askWords)).toEqual([
      'People: platform is iOS, by term',
      'Session length: platform is iOS',
      'Funnel: a → b where platform is iOS',
      'Retention: platform is iOS → a',
      'What people do directly before: account_deleted',
    ]);
  });
});
