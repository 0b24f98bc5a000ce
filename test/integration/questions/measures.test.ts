import { beforeAll, describe, expect, test } from 'bun:test';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const DAY = 86_400_000;
const MINUTE = 60_000;
const { call, deps, org, app } = await startAnswers(NOW);
const headers = org.key;
const WINDOW = { from: '2026-03-09', to: '2026-03-11', timezone: 'UTC' };

const answer = (body: object) =>
  call(`/v1/apps/${app.appId}/questions/answer`, { headers, body: { ...WINDOW, ...body } });
const ask = async (body: object) => {
  const { status, body: said } = await answer(body);
  expect({ status, said: status === 200 || said }).toEqual({ status: 200, said: true });
  return said;
};

/** Sixty people open the app and buy for 1 to 60 cents on two days; half of them restored before. */
beforeAll(async () => {
  for (let day = 1; day <= 2; day += 1) {
    const events = Array.from({ length: 60 }, (_, n) => {
      const anonymousId = `person-${String(n).padStart(4, '0')}`;
      const at = (minute: number) => new Date(NOW - day * DAY + minute * MINUTE).toISOString();
      const restored = n % 2 === 0 ? [{ name: 'restored', ts: at(1), anonymousId }] : [];
      const bought = { name: 'bought', ts: at(2), anonymousId, props: { cents: n + 1 } };
      return [{ name: 'opened', ts: at(0), anonymousId }, ...restored, bought];
    }).flat();
    for (let n = 0; n < events.length; n += 100) {
      const body = { events: events.slice(n, n + 100), context: { platform: 'ios' } };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  }
  await compactEverything(deps);
});

const BOUGHT = { selection: { events: ['bought'] }, compare: false };
const cents = (statistic: string, per = 'event') => ({
  kind: 'measures',
  ...BOUGHT,
  measure: { of: 'property', property: 'cents', statistic, per },
});

describe('measures', () => {
  test.each([
    ['sum', 3_660],
    ['mean', 30.5],
    ['median', 30.5],
    ['minimum', 1],
    ['maximum', 60],
  ])('the %s of a property is %p', async (statistic, value) => {
    const { totals, points, kind } = await ask(cents(statistic));
    expect([kind, totals.value, totals.people, totals.count]).toEqual(['measures', value, 60, 120]);
    expect(points.map((point: any) => point.people)).toEqual([0, 60, 60]);
  });

  test('of a person are of what each of them had', async () => {
    expect((await ask(cents('median', 'person'))).totals).toMatchObject({ value: 61, count: 60 });
  });

  test('count people, events and sessions, and say how long sessions were', async () => {
    const of = async (what: string) =>
      (await ask({ kind: 'measures', ...BOUGHT, measure: { of: what } })).totals.value;
    expect(await of('people')).toBe(60);
    expect(await of('eventsPerPerson')).toBe(2);
    expect(await of('sessionsPerPerson')).toBe(2);
    expect(await of('sessionLength')).toBe(120);
  });

  test('of fewer than fifty people are withheld', async () => {
    const where = { all: [{ field: 'prop:cents', op: 'lt', value: 50 }] };
    const few = { ...cents('mean'), selection: { events: ['bought'], where } };
    expect((await ask(few)).totals).toMatchObject({ value: null, people: 49, count: 98 });
  });
});

test('several measures are broken down by a property in ranges, as if each were asked alone', async () => {
  const { measure: sum } = cents('sum');
  const breakdown = { property: 'cents', bounds: [11] };
  const asked = {
    kind: 'measures',
    ...BOUGHT,
    measure: sum,
    others: [{ of: 'people' }],
    breakdown,
  };
  const { totals, series, others, breakdown: facts } = await ask(asked);
  expect(totals.value).toBe(3_660);
  // Ten people are too few for a statistic, but not for a total.
  expect(series.map(({ key, totals: of }: any) => [key, of.value, of.people])).toEqual([
    ['below 11', 110, 10],
    ['11 or more', 3_550, 50],
  ]);
  expect(facts).toEqual([{ others: 0, bounds: [11] }]);
  expect(others).toHaveLength(1);
  expect(others[0].measure).toEqual({ of: 'people' });
  expect(others[0].totals.value).toBe(60);
  expect(others[0].series.map(({ totals: of }: any) => of.value)).toEqual([10, 50]);
  const { series: names } = await ask({
    ...{ kind: 'measures', compare: false, measure: { of: 'sessions' }, breakdown: 'name' },
  });
  expect(names.map(({ key, totals: of }: any) => [key, of.value])).toEqual([
    ...[
      ['bought', 120],
      ['opened', 120],
      ['restored', 60],
    ],
  ]);
});

test('all other values have their line also where none of them has a number', async () => {
  const measure = { of: 'property', property: 'absent', statistic: 'mean', per: 'event' };
  const asked = { kind: 'measures', ...BOUGHT, measure, breakdown: 'prop:cents' };
  const { series, breakdown } = await ask(asked);
  expect(breakdown).toEqual([{ others: 54 }]);
  expect(series).toHaveLength(7);
  expect(series[6]).toMatchObject({ key: 'other', rest: true, totals: { value: null, people: 0 } });
});

test('the lifecycle and paths of a selection are asked with conditions', async () => {
  const where = { all: [{ field: 'prop:cents', op: 'gt', value: 5 }] };
  const life = await ask({ kind: 'lifecycle', selection: { events: ['bought'], where } });
  expect(life.points.map((point: any) => [point.new, point.returning])).toEqual([
    [0, 0],
    [55, 0],
    [0, 55],
  ]);
  const selection = { events: ['bought'] };
  const paths = await ask({ kind: 'paths', selection, direction: 'before' });
  expect(paths.steps[0].nodes.map((node: any) => [node.name, node.sessions])).toEqual([
    ['opened', 60],
    ['restored', 60],
  ]);
});

describe('a funnel', () => {
  const steps = [{ events: ['opened'] }, { events: ['bought'] }];
  const peopleOf = async (more: object) =>
    (await ask({ kind: 'funnel', steps, ...more })).steps.map((step: any) => step.people);

  test('leaves out who did what must not happen between two steps', async () => {
    const exclusions = [{ selection: { events: ['restored'] }, after: 1, before: 2 }];
    expect(await peopleOf({})).toEqual([60, 60]);
    expect(await peopleOf({ exclusions })).toEqual([60, 30]);
    expect(await peopleOf({ order: 'strict' })).toEqual([60, 30]);
  });

  test('takes steps in any order', async () => {
    const turned = { steps: [{ events: ['bought'] }, { events: ['restored'] }], windowHours: 1 };
    expect(await peopleOf(turned)).toEqual([60, 0]);
    expect(await peopleOf({ ...turned, order: 'any' })).toEqual([60, 30]);
  });

  test('is broken down by ranges of numbers, in their order', async () => {
    const own = [{ events: ['bought'] }, { events: ['opened'] }];
    const breakdown = { property: 'cents' };
    const asked = { kind: 'funnel', steps: own, breakdown };
    const { breakdown: values, bounds } = await ask(asked);
    expect(bounds).toEqual([5, 10, 20, 25, 30, 35, 40, 50, 55]);
    expect(values.map(({ value, people }: any) => [value, people]).slice(0, 2)).toEqual([
      ['below 5', 4],
      ['5 to 10', 5],
    ]);
  });

  test('says the times of those who finished', async () => {
    const { distribution } = await ask({ kind: 'funnel', steps, distribution: true });
    const some = distribution.filter(({ people }: { people: number }) => people > 0);
    expect(some).toEqual([{ fromSeconds: 120, toSeconds: 300, people: 60 }]);
    const strict = await ask({ kind: 'funnel', steps, distribution: true, order: 'strict' });
    expect(strict.distribution).toBeNull();
  });

  test.each([
    [{ exclusions: [{ selection: {}, after: 2, before: 2 }] }, 'exclusions[0].before'],
    [{ exclusions: [{ selection: {}, after: 1, before: 3 }] }, 'exclusions[0].before'],
    [{ order: 'strict', breakdown: 'arm' }, 'breakdown'],
    [{ exclusions: [{ selection: {}, after: 1, before: 2 }], order: 'any' }, 'exclusions'],
  ])('refuses %j', async (more, place) => {
    const { status, body } = await answer({ kind: 'funnel', steps, ...more });
    expect([status, body.error.hint.split(':')[0]]).toEqual([400, place]);
  });
});
