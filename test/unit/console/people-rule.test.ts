import { describe, expect, test } from 'bun:test';
import { readRule, ruleOfPeople } from '../../../src/console/state/people-rule.ts';

const point = '2026-11-01T00:00:00.000Z';
const opened = { events: ['opened'] };
const bought = { events: ['bought'] };

describe('the rule of people behind a figure', () => {
  test('is of the series that was pointed at, from 1', () => {
    const question = { kind: 'series', series: [opened, bought], days: 7 } as const;
    const ruleOf = (series?: number) =>
      ruleOfPeople(question as never, { of: 'point', point, ...(series && { series }) });
    expect(ruleOf()).toEqual({ all: [{ did: opened, withinDays: 7 }] });
    expect(ruleOf(1)).toEqual({ all: [{ did: opened, withinDays: 7 }] });
    expect(ruleOf(2)).toEqual({ all: [{ did: bought, withinDays: 7 }] });
  });

  test('is not there for people whom no clause describes', () => {
    const lifecycle = { kind: 'lifecycle', selection: opened, days: 7 } as never;
    expect(ruleOfPeople(lifecycle, { of: 'state', point, state: 'dormant' })).toBeUndefined();
    const retention = { kind: 'retention', start: opened, days: 7 } as never;
    const cohort = (period: number) =>
      ruleOfPeople(retention, { of: 'cohort', cohortIndex: 0, period });
    expect(cohort(3)).toBeUndefined();
    expect(cohort(0)).toEqual({ all: [{ did: opened, withinDays: 7 }] });
  });
});

test('a rule in an address is read with clauses that are known, and otherwise left out', () => {
  expect(readRule(JSON.stringify({ all: [{ did: opened }] }))).toEqual({ all: [{ did: opened }] });
  for (const wrong of [
    '',
    'x',
    '{}',
    '{"all":[]}',
    '{"all":[null]}',
    '{"any":[1]}',
    '{"all":[{}]}',
  ]) {
    expect(readRule(wrong)).toBeUndefined();
  }
});
