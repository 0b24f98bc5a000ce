import { beforeAll, expect, test } from 'bun:test';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestOrg } from '../../support/service.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const DAY = 86_400_000;
const { service, call, deps, org, app } = await startAnswers(NOW);
const stranger = await createTestOrg(service);
const path = `/v1/apps/${app.appId}/questions/people`;

const id = (index: number) => `person-${100 + index}-0000`;
const at = (day: number, minute = 0) => new Date(NOW - day * DAY + minute * 60_000).toISOString();
const ALL = Array.from({ length: 60 }, (_, index) => index);
const ids = (from: number, to: number) => ALL.slice(from, to).map(id);

/** Sixty people open the app, twenty of them on iOS; ten of these buy, and open it a day later. */
beforeAll(async () => {
  const send = async (events: object[], platform: string) => {
    const body = { events, context: { platform } };
    expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  };
  const opened = (index: number) => ({ name: 'opened', ts: at(3), anonymousId: id(index) });
  await send(ALL.slice(20).map(opened), 'web');
  await send(
    ALL.slice(0, 20).flatMap((index) => [
      opened(index),
      ...(index < 10
        ? [
            { name: 'bought', ts: at(3, 5), anonymousId: id(index) },
            { name: 'opened', ts: at(2), anonymousId: id(index) },
          ]
        : []),
    ]),
    'ios',
  );
  await compactEverything(deps);
});

const WINDOW = { from: '2026-03-09', to: '2026-03-11', timezone: 'UTC' };
const DAY_1 = '2026-03-09T00:00:00.000Z';
const OF_IOS = { where: { all: [{ field: 'first:platform', op: 'is', value: 'ios' }] } };
const list = async (question: object, figure: object, more = {}) => {
  const body = { question: { ...WINDOW, ...question }, figure, ...more };
  const { status, body: said } = await call(path, { headers: org.key, body });
  return status === 200
    ? said.people.map(({ personId }: any) => personId)
    : [status, said.error.hint];
};
const STEPS = [{ events: ['opened'] }, { events: ['bought'] }];

test('of a point, a step, a cohort and a state are listed', async () => {
  const series = { kind: 'series', series: [{ events: ['opened'] }, { events: ['bought'] }] };
  const point = { of: 'point', point: DAY_1 };
  expect(await list(series, point)).toEqual(ids(0, 60));
  const measures = { kind: 'measures', measure: { of: 'events' } };
  expect(await list(measures, point)).toEqual(ids(0, 60));
  const funnel = { kind: 'funnel', steps: STEPS };
  expect(await list(funnel, { of: 'step', step: 2 })).toEqual(ids(0, 10));
  expect(await list(funnel, { of: 'step', step: 2, dropped: true })).toEqual(ids(10, 60));
  const retention = { kind: 'retention', interval: 'day', breakdown: 'platform' };
  const cohort = { of: 'cohort', cohortIndex: 0 };
  expect(await list(retention, cohort)).toEqual(ids(0, 60));
  expect(await list(retention, { ...cohort, period: 1 })).toEqual(ids(0, 10));
  const state = { of: 'state', point: DAY_1, state: 'new' };
  expect(await list({ kind: 'lifecycle' }, state)).toEqual(ids(0, 60));
});

test('a page at a time, of conditions on people too', async () => {
  const where = { any: [...OF_IOS.where.all, { field: 'platform', op: 'is', value: 'web' }] };
  const body = {
    question: { kind: 'series', series: [{ where }], ...WINDOW },
    ...{ figure: { of: 'point', point: DAY_1 }, limit: 40 },
  };
  const first = await call(path, { headers: org.key, body });
  expect(first.body.people).toHaveLength(40);
  const rest = await call(path, {
    headers: org.key,
    body: { ...body, cursor: first.body.nextCursor },
  });
  expect([rest.body.people.length, rest.body.nextCursor]).toEqual([20, null]);
});

test.each([
  [{ kind: 'series', series: [OF_IOS] }, { of: 'point', point: DAY_1 }, 409],
  [{ kind: 'series', series: [{}] }, { of: 'step', step: 1 }, 400],
  [{ kind: 'series', series: [{}] }, { of: 'point', series: 2, point: DAY_1 }, 400],
  [{ kind: 'series', series: [{}] }, { of: 'point', point: '2026-03-09T01:00:00.000Z' }, 400],
  [{ kind: 'funnel', steps: STEPS }, { of: 'step', step: 3 }, 400],
  [{ kind: 'retention', interval: 'day' }, { of: 'cohort', cohortIndex: 3 }, 400],
  [{ kind: 'paths', selection: {} }, { of: 'point', point: DAY_1 }, 400],
])(
  'few people and what has no such figure are refused: %j %j',
  async (question, figure, status) => {
    expect((await list(question, figure))[0]).toBe(status);
  },
);

test('another organization sees nobody', async () => {
  const body = { question: { kind: 'lifecycle' }, figure: { of: 'step', step: 1 } };
  expect((await call(path, { headers: stranger.key, body })).status).toBe(404);
});
