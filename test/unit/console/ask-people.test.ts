import { expect, test } from 'bun:test';
import type { Question } from '../../../clients/api/src/index.ts';
import { withinValues } from '../../../src/console/state/ask-people.ts';

const IS_WEB = { field: 'platform', op: 'is' as const, value: 'web' };
const IS_NEW = { field: 'appVersion', op: 'is' as const, value: '2.10' };

test('a value of a breakdown becomes a condition beside those of the question', () => {
  const trend: Question = { kind: 'series', series: [{ events: ['a'] }], breakdown: 'appVersion' };
  expect(withinValues(trend, ['2.10'])).toEqual({
    kind: 'series',
    series: [{ events: ['a'], where: { all: [IS_NEW] } }],
  });
  const funnel: Question = {
    kind: 'funnel',
    steps: [{}, {}],
    where: { any: [IS_WEB, IS_WEB] },
    breakdown: 'appVersion',
  };
  expect(withinValues(funnel, ['2.10'])).toMatchObject({
    where: { all: [{ any: [IS_WEB, IS_WEB] }, IS_NEW] },
  });
  const retention: Question = {
    kind: 'retention',
    start: { where: { all: [IS_WEB] } },
    breakdown: 'first:platform',
  };
  expect(withinValues(retention, ['ios'])).toEqual({
    kind: 'retention',
    start: { where: { all: [IS_WEB, { field: 'first:platform', op: 'is', value: 'ios' }] } },
  });
});

test('a missing value is asked for as one, and what no condition says is not asked', () => {
  const question = (breakdown: string): Question => ({ kind: 'retention', breakdown });
  expect(withinValues(question('country'), ['unknown'])).toMatchObject({
    start: {
      where: {
        all: [
          {
            any: [
              { field: 'country', op: 'is', value: 'unknown' },
              { field: 'country', op: 'isNotSet' },
            ],
          },
        ],
      },
    },
  });
  expect(withinValues(question('prop:plan'), ['unknown'])).toBeUndefined();
  expect(withinValues(question('arm'), ['short'])).toBeUndefined();
  const ranges: Question = { kind: 'retention', breakdown: { property: 'price' } };
  expect(withinValues(ranges, ['5 to 10'])).toBeUndefined();
  const nested = { any: [IS_WEB, { all: [IS_WEB, IS_NEW] }] };
  expect(
    withinValues({ kind: 'funnel', steps: [{}, {}], where: nested, breakdown: 'country' }, ['DE']),
  ).toBeUndefined();
});
