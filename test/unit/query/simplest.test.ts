import { expect, test } from 'bun:test';
import { simplest } from '../../../src/query/series/kind.ts';
import type { SeriesQuestion } from '../../../src/query/series/model.ts';

const where = { all: [{ field: 'platform', op: 'is' as const, value: 'ios' }] };
const asked = (more: Partial<SeriesQuestion>): SeriesQuestion => ({
  ...{ orgId: 'org_1', appId: 'app_1', boundariesUs: [0, 1], names: null, breakdown: null },
  ...{ valuesFrom: 0, filters: {}, ranges: [], ...more },
});
const opened = { events: ['opened'] };
const bought = { events: ['bought'] };
const either = { events: ['opened', 'bought'] };
const platform = { kind: 'platform' as const };

test.each([
  [{ selections: [{}] }, {}],
  [{ selections: [opened] }, { names: ['opened'] }],
  [{ selections: [{ ...opened, where }] }, { names: ['opened'], where }],
  [
    { selections: [either], breakdown: platform },
    { names: either.events, breakdown: platform },
  ],
  [{ selections: [opened, bought] }, { names: either.events }],
  [
    {
      selections: [
        { ...opened, where },
        { ...bought, where },
      ],
    },
    { names: either.events, where },
  ],
])('series of names are asked by name: %j', (question, simpler) => {
  expect(simplest(asked(question))).toEqual(asked(simpler));
});

test.each<Partial<SeriesQuestion>>([
  { selections: [either] },
  { selections: [opened, opened] },
  { selections: [opened, {}] },
  { selections: [opened, { ...bought, where }] },
  { selections: [opened], where },
  { names: ['opened'] },
])('others are as they are: %j', (question) => {
  expect(simplest(asked(question))).toEqual(asked(question));
});
