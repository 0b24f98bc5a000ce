import { beforeAll, describe, expect, test } from 'bun:test';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp } from '../../support/service.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const DAY = 86_400_000;
const { service, call, deps, org, app } = await startAnswers(NOW);
const headers = org.key;
const path = `/v1/apps/${app.appId}`;

const answer = (body: object) => call(`${path}/questions/answer`, { headers, body });
const ask = async (body: object) => {
  const { status, body: said } = await answer(body);
  expect({ status, said: status === 200 || said }).toEqual({ status: 200, said: true });
  return said;
};
const report = async (tail: string) => (await call(`${path}${tail}`, { headers })).body;

/** A hundred people search each day; those of an odd number without a result, on Android. */
beforeAll(async () => {
  const send = async (platform: string, appVersion: string, events: object[]) => {
    const body = { events, context: { platform, appVersion, osVersion: '17.2', locale: 'de' } };
    expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  };
  for (let day = 1; day <= 3; day += 1) {
    const eventsOf = (odd: number) =>
      Array.from({ length: 50 }, (_, index) => {
        const anonymousId = `person-${2 * index + odd}-0000`;
        const at = (minute: number) => new Date(NOW - day * DAY + minute * 60_000).toISOString();
        return [
          { name: 'app_opened', ts: at(0), anonymousId },
          {
            ...{ name: 'searched', ts: at(5), anonymousId },
            props: { results: odd === 1 ? 0 : index + 1, term: odd === 1 ? 'x' : 'y' },
          },
        ];
      }).flat();
    await send('ios', '2.9', eventsOf(0));
    await send('android', '2.10', eventsOf(1));
  }
  await compactEverything(deps);
});

const NO_RESULT = {
  events: ['searched'],
  where: { all: [{ field: 'prop:results', op: 'is', value: 0 }] },
};
const WINDOW = { from: '2026-03-09', to: '2026-03-11', timezone: 'UTC' };
const AS_QUERY = 'from=2026-03-09&to=2026-03-11&timezone=UTC';

describe('series', () => {
  test('of selections count each, and the total once', async () => {
    const { series, totals, window, kind } = await ask({
      ...{ kind: 'series', series: [NO_RESULT, { events: ['searched'] }], compare: false },
      ...WINDOW,
    });
    expect(kind).toBe('series');
    expect(window).toEqual({
      ...{ from: '2026-03-09T00:00:00.000Z', to: '2026-03-12T00:00:00.000Z' },
      ...{ finishedThrough: '2026-03-12T00:00:00.000Z', previousFrom: null },
    });
    expect(totals).toMatchObject({ people: 100, events: 300 });
    expect(series.map(({ totals }: any) => [totals.people, totals.events])).toEqual([
      [50, 150],
      [100, 300],
    ]);
    expect(series[0].points).toHaveLength(3);
  });

  test('of names answer as the present route does, byte for byte', async () => {
    const {
      kind: _,
      dataThrough: _d,
      ...asked
    } = await ask({
      ...{ kind: 'series', series: [{ events: ['app_opened'] }, { events: ['searched'] }] },
      ...WINDOW,
    });
    const {
      dataThrough: _r,
      forecast: _f,
      ...reported
    } = await report(`/events/series?names=app_opened,searched&${AS_QUERY}`);
    expect(JSON.stringify(asked)).toBe(JSON.stringify(reported));
  });

  test('are broken down by two dimensions at once, and by numbers in ranges', async () => {
    const asked = { kind: 'series', series: [{ events: ['searched'] }], compare: false, ...WINDOW };
    const pairs = await ask({ ...asked, breakdown: ['platform', 'prop:results'] });
    const found = pairs.series.map(({ key, rest, crossed, totals }: any) => [
      ...[key, rest, crossed.key, crossed.rest, totals.events],
    ]);
    expect(found.slice(0, 2)).toEqual([
      ['android', undefined, '0', undefined, 150],
      ['ios', undefined, '1', undefined, 3],
    ]);
    expect(found.at(-1)).toEqual(['ios', undefined, 'other', true, 135]);
    expect(pairs.breakdown).toEqual([{ others: 0 }, { others: 45 }]);
    expect(pairs.totals).toMatchObject({ people: 100, events: 300 });
    const ranges = await ask({ ...asked, breakdown: { property: 'results', bounds: [1, 40, 60] } });
    expect(ranges.series.map(({ key, totals }: any) => [key, totals.events])).toEqual([
      ...[
        ['below 1', 150],
        ['1 to 40', 117],
      ],
      ...[
        ['40 to 60', 33],
        ['60 or more', 0],
      ],
    ]);
    const chosen = await ask({ ...asked, breakdown: { property: 'results' } });
    expect(chosen.breakdown).toEqual([{ others: 0, bounds: [10, 20, 30, 40] }]);
    expect(chosen.series.map(({ totals }: any) => totals.events)).toEqual([177, 30, 30, 30, 33]);
  });

  test('are broken down by fields that the present route does not know', async () => {
    for (const breakdown of ['osVersion', 'locale', 'name', 'prop:term', 'platform']) {
      const asked = { kind: 'series', series: [NO_RESULT], breakdown, compare: false, ...WINDOW };
      const { series } = await ask(asked);
      const value = { osVersion: '17.2', locale: 'de', name: 'searched', 'prop:term': 'x' }[
        breakdown
      ];
      expect(series.map(({ key, totals }: any) => [key, totals.people])).toEqual([
        [value ?? 'android', 50],
      ]);
    }
  });
});

describe('a funnel', () => {
  const steps = [{ events: ['app_opened'] }, NO_RESULT];

  test('takes selections as steps, conditions at the entry, and a breakdown', async () => {
    const asked = { kind: 'funnel', steps, windowHours: 1, ...WINDOW };
    const all = await ask(asked);
    expect(all.steps.map(({ people }: any) => people)).toEqual([100, 50]);
    expect(all.overall.medianSeconds).toBe(300);
    const newer = { all: [{ field: 'appVersion', op: 'gt', value: '2.9' }] };
    const { people, steps: reached, window } = await ask({ ...asked, where: newer });
    expect([people, reached[1].people]).toEqual([50, 50]);
    expect(window).toEqual({
      ...{ from: '2026-03-09T00:00:00.000Z', to: '2026-03-12T00:00:00.000Z', days: 3 },
    });
    const { breakdown } = await ask({ ...asked, breakdown: 'appVersion', interval: 'day' });
    expect(breakdown.map(({ value, steps }: any) => [value, steps[1].people])).toEqual([
      ['2.10', 50],
      ['2.9', 0],
    ]);
  });
});

describe('retention', () => {
  test('is asked of one platform', async () => {
    const start = { where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] } };
    const asked = { kind: 'retention', interval: 'day', cohort: 'recurring', ...WINDOW };
    const { people, cohorts } = await ask({ ...asked, start, return: { events: ['searched'] } });
    expect([people, cohorts[0].people, cohorts[0].periods[0].returned]).toEqual([50, 50, 50]);
    const none = await ask({ ...asked, start, return: NO_RESULT });
    expect(none.cohorts[0].periods[0].returned).toBe(0);
  });

  test('told apart by a value is what it is of starts with that value alone', async () => {
    const back = { return: { events: ['searched'] } };
    const asked = { kind: 'retention', interval: 'day', cohort: 'recurring', ...back, ...WINDOW };
    const whole = await ask(asked);
    const { breakdown, ...all } = await ask({ ...asked, breakdown: 'appVersion' });
    expect({ ...all, dataThrough: 0 }).toEqual({ ...whole, dataThrough: 0 });
    expect(breakdown.map(({ value }: any) => value)).toEqual(['2.10', '2.9']);
    for (const { value, ...figures } of breakdown) {
      const where = { all: [{ field: 'appVersion', op: 'is', value }] };
      const { people, verdict, cohorts, mean } = await ask({ ...asked, start: { where } });
      expect(figures).toEqual({ people, verdict, cohorts, mean });
    }
    const ranges = await ask({ ...asked, breakdown: { property: 'results', bounds: [10] } });
    expect(ranges.bounds).toEqual([10]);
    expect(ranges.breakdown.map(({ value, people }: any) => [value, people])).toEqual([
      ['below 10', 59],
      ['10 or more', 41],
      ['unknown', 100],
    ]);
  });

  test('of names answers as the present route does, byte for byte', async () => {
    const {
      kind: _,
      dataThrough: _d,
      ...asked
    } = await ask({
      ...{ kind: 'retention', interval: 'day', ...WINDOW },
      ...{ start: { events: ['app_opened'] }, return: { events: ['searched'] } },
    });
    const query = `interval=day&startName=app_opened&returnName=searched&${AS_QUERY}`;
    const { dataThrough: _r, ...reported } = await report(`/events/retention?${query}`);
    expect(JSON.stringify(asked)).toBe(JSON.stringify(reported));
  });
});

test.each<[object, string]>([
  [
    { kind: 'series', series: [NO_RESULT, { where: { all: [{ field: 'name', op: 'like' }] } }] },
    'series[1].where.all[0]: must be a condition (a field, an op and what the op takes, or a segment and is), or conditions as all or any',
  ],
  [
    {
      kind: 'series',
      series: [{ where: { any: [{ field: 'locale', op: 'contains', value: 5 }] } }],
    },
    'series[0].where.any[0].value: must be 0 to 500 characters without NUL and lone surrogates',
  ],
  [
    {
      kind: 'funnel',
      steps: [{}, { where: { all: [{ all: [{ field: 'device', op: 'isSet' }] }] } }],
    },
    'steps[1].where.all[0].all[0].field: must be one of name, platform, appVersion, osVersion, locale, country, session, prop:NAME, first: with one of these, or arm',
  ],
  [
    {
      kind: 'retention',
      return: { where: { all: [{ field: 'osVersion', op: 'lt', value: 'new' }] } },
    },
    'return.where.all[0].value: must be a version such as 2.10',
  ],
  [{ kind: 'series', series: [{}, {}], breakdown: 'platform' }, 'breakdown: needs one series'],
  [
    { kind: 'series', series: [{}], breakdown: ['name', { property: 'a', bounds: [5, 5] }] },
    'breakdown[1].bounds[1]: must be greater than the one before',
  ],
  [
    { kind: 'series', series: [{ where: { all: [] } }] },
    'series[0].where.all: must be an array from 1 to 12',
  ],
])('a wrong question names its place: %j', async (body, hint) => {
  const { status, body: said } = await answer(body);
  expect({ status, hint: said.error?.hint }).toEqual({ status: 400, hint });
});

test.each(['platform', 'appVersion', 'osVersion', 'locale', 'country', 'name', 'prop:plan'])(
  'events that are in no file yet are told apart by %s',
  async (breakdown) => {
    const fresh = await createTestApp(service, org.orgId);
    const at = new Date(NOW - DAY).toISOString();
    const events = Array.from({ length: 50 }, (_, index) => ({
      ...{ name: 'searched', ts: at, anonymousId: `person-${index}-0000` },
      props: { plan: 'pro' },
    }));
    const country = 'DE';
    const context = {
      platform: 'ios',
      appVersion: '2.9',
      osVersion: '17.2',
      locale: 'de',
      country,
    };
    const sent = await call('/v1/events', { body: { events, context }, headers: fresh.device });
    expect(sent.status).toBe(202);
    const steps = [{ events: ['searched'] }, { events: ['bought'] }];
    const selection = { events: ['searched'] };
    for (const question of [
      { kind: 'funnel', steps },
      { kind: 'series', series: [selection], compare: false },
      { kind: 'measures', selection, measure: { of: 'people' }, compare: false },
    ]) {
      const { status, text } = await call(`/v1/apps/${fresh.appId}/questions/answer`, {
        headers,
        body: { ...question, ...WINDOW, breakdown },
      });
      const value = { ...context, name: 'searched', 'prop:plan': 'pro' }[breakdown];
      expect({ status, text }).toEqual({
        status: 200,
        text: expect.stringContaining(`"${value}"`),
      });
    }
  },
);
