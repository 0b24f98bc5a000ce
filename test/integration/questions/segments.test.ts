import { beforeAll, describe, expect, test } from 'bun:test';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';
import { createTestApp, createTestOrg, type TestApp, type TestOrg } from '../../support/service.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const DAY = 86_400_000;
const { service, call, deps, org, app } = await startAnswers(NOW);
const other = await createTestApp(service, org.orgId);
const stranger = await createTestOrg(service);
const theirs = await createTestApp(service, stranger.orgId);

const at = (day: number, minute = 0) => new Date(NOW - day * DAY + minute * 60_000).toISOString();
const id = (index: number) => `person-${index}`.padEnd(12, '-');

async function send(events: object[], to: TestApp = app) {
  for (let n = 0; n < events.length; n += 100) {
    const body = { events: events.slice(n, n + 100), context: { platform: 'ios' } };
    expect((await call('/v1/events', { body, headers: to.device })).status).toBe(202);
  }
}

async function make(name: string, rule: object, of: TestApp = app, own: TestOrg = org) {
  const path = `/v1/apps/${of.appId}/segments`;
  const made = await call(path, { headers: own.key, body: { name, rule } });
  expect([made.status, made.body.error?.hint]).toEqual([201, undefined]);
  return made.body.id as string;
}

const answer = (body: object, of: TestApp = app, own: TestOrg = org) =>
  call(`/v1/apps/${of.appId}/questions/answer`, { headers: own.key, body });
async function ask(body: object) {
  const { status, body: said } = await answer(body);
  expect({ status, said: status === 200 || said }).toEqual({ status: 200, said: true });
  return said;
}

/**
 * A hundred people open the app three days running and search; of these sixty see the paywall
 * twice, the second time on the last day, and ten of the sixty buy. The last ten sign in at last as
 * ten people who are not among them.
 */
let lookers = '';
beforeAll(async () => {
  for (const to of [app, theirs]) {
    const days = [3, 2, 1].flatMap((day) =>
      Array.from({ length: 100 }, (_, index) => [
        { name: 'app_opened', ts: at(day), anonymousId: id(index) },
        ...(index < 60 && day !== 2
          ? [{ name: 'paywall_viewed', ts: at(day, 5), anonymousId: id(index) }]
          : []),
        ...(index < 10 && day === 1
          ? [{ name: 'purchase_completed', ts: at(day, 9), anonymousId: id(index) }]
          : []),
      ]).flat(),
    );
    await send(days, to);
  }
  await compactEverything(deps);
  const signIns = Array.from({ length: 10 }, (_, index) => ({
    ...{ name: 'signed_in', ts: at(1, 60), anonymousId: id(index + 50) },
    userId: `user-${index}`,
  }));
  await send(signIns);
  lookers = await make('Lookers', {
    all: [
      { did: { events: ['paywall_viewed'] }, atLeast: 2 },
      { didNot: { events: ['purchase_completed'] } },
    ],
  });
});

const WINDOW = { from: '2026-03-09', to: '2026-03-11', timezone: 'UTC' };
const inside = (is: boolean, more = {}) => ({ all: [{ segment: lookers, is, ...more }] });
const opened = (where: object) => ({ events: ['app_opened'], where });

describe('who is in a segment', () => {
  test('is a condition of series, funnels, retention, lifecycle, paths and measures', async () => {
    const { series, totals } = await ask({
      ...{ kind: 'series', series: [opened(inside(true)), opened(inside(false))] },
      ...{ ...WINDOW, compare: false },
    });
    expect(series.map((one: any) => [one.totals.people, one.totals.events])).toEqual([
      [50, 150],
      [50, 150],
    ]);
    expect(totals).toMatchObject({ people: 100, events: 300 });

    const steps = [{ events: ['app_opened'] }, { events: ['paywall_viewed'] }];
    const funnel = { kind: 'funnel', steps, days: 30 };
    const entry = await ask({ ...funnel, where: inside(false) });
    expect(entry.steps.map(({ people }: any) => people)).toEqual([50, 10]);
    const atStep = await ask({
      ...funnel,
      steps: [steps[0], { events: ['paywall_viewed'], where: inside(true) }],
    });
    expect(atStep.steps.map(({ people }: any) => people)).toEqual([100, 50]);

    const retention = { kind: 'retention', interval: 'day', periods: 2, ...WINDOW };
    const { cohorts } = await ask({ ...retention, start: opened(inside(true)) });
    expect(cohorts[0].people).toBe(50);
    const back = await ask({ ...retention, return: opened(inside(false)) });
    expect([back.cohorts[0].people, back.cohorts[0].periods[0].returned]).toEqual([100, 50]);

    const selection = opened(inside(true));
    const lifecycle = await ask({ kind: 'lifecycle', selection, ...WINDOW });
    expect(lifecycle.points[0].new).toBe(50);
    const paths = await ask({ kind: 'paths', selection, ...WINDOW });
    expect(paths.people).toBe(50);
    const measures = { kind: 'measures', selection, measure: { of: 'events' }, compare: false };
    expect((await ask({ ...measures, ...WINDOW })).totals).toMatchObject({ value: 150 });
  });

  test('is as of now, or by what came before each event', async () => {
    const asOfEvent = { asOf: 'event' };
    const { series } = await ask({
      kind: 'series',
      series: [
        { events: ['paywall_viewed'], where: inside(true, asOfEvent) },
        { events: ['signed_in'], where: inside(true, asOfEvent) },
        { events: ['purchase_completed'], where: inside(true, asOfEvent) },
      ],
      ...{ ...WINDOW, compare: false },
    });
    // Nobody had seen it twice before seeing it twice; the ten who then bought had not bought yet.
    expect(series.map(({ totals }: any) => totals.people)).toEqual([0, 10, 10]);
  });

  test('tells figures apart: in it and not, or in each of several', async () => {
    const viewers = await make('Viewers', { all: [{ did: { events: ['paywall_viewed'] } }] });
    const either = { any: [{ field: 'platform', op: 'is', value: 'ios' }, inside(true)] };
    for (const where of [undefined, either, { any: either.any.slice(0, 1) }]) {
      const series = [{ events: ['app_opened'], ...(where && { where }) }];
      const asked = { kind: 'series', series, compare: false, ...WINDOW };
      const one = await ask({ ...asked, segments: [lookers] });
      expect(one.series.map(({ key, totals }: any) => [key, totals.people])).toEqual([
        [lookers, 50],
        [`not ${lookers}`, 50],
      ]);
      expect(one.totals).toMatchObject({ people: 100, events: 300 });
      const two = await ask({ ...asked, segments: [lookers, viewers] });
      expect(two.series.map(({ key, totals }: any) => [key, totals.people])).toEqual([
        [lookers, 50],
        [viewers, 60],
      ]);
      expect(two.totals.people).toBe(100);
    }
    const steps = [{ events: ['app_opened'] }, { events: ['paywall_viewed'] }];
    const funnel = await ask({ kind: 'funnel', steps, days: 30, segments: [lookers] });
    expect(funnel.steps.map(({ people }: any) => people)).toEqual([100, 60]);
    expect(
      funnel.segments.map((own: any) => [own.is, ...own.steps.map(({ people }: any) => people)]),
    ).toEqual([
      [true, 50, 50],
      [false, 50, 10],
    ]);
    const retention = { kind: 'retention', interval: 'day', periods: 2, ...WINDOW };
    const apart = await ask({ ...retention, segments: [lookers, viewers] });
    expect(apart.people).toBe(100);
    expect(apart.segments.map((own: any) => [own.segment, own.cohorts[0].people])).toEqual([
      [lookers, 50],
      [viewers, 60],
    ]);
  });

  test('tells figures apart by one series and without a breakdown, by segments of the app', async () => {
    const hintOf = async (body: object) => (await answer(body)).body.error?.hint;
    const series = [{ events: ['app_opened'] }, { events: ['paywall_viewed'] }];
    const asked = { kind: 'series', segments: [lookers] };
    expect(await hintOf({ ...asked, series })).toBe('segments: needs one series');
    const one = series.slice(0, 1);
    expect(await hintOf({ ...asked, series: one, breakdown: 'platform' })).toBe(
      'segments: has no breakdown beside it',
    );
    expect(await hintOf({ ...asked, series: one, segments: [lookers, 'seg_unknown'] })).toBe(
      'segments[1].segment: must be a segment of this app',
    );
  });

  test('is refused by its place where it cannot be told', async () => {
    const foreign = await make('Theirs', { any: [{ did: {} }] }, theirs, stranger);
    const elsewhere = await make('Elsewhere', { any: [{ did: {} }] }, other);
    const payers = await make('Payers', { all: [{ entitled: true }] });
    const behind = await make('Behind', { all: [{ segment: payers }] });
    const hintOf = async (condition: object) => {
      const steps = [{ events: ['app_opened'] }, { where: { any: [condition] } }];
      const { status, body } = await answer({ kind: 'funnel', steps });
      return [status, body.error?.hint];
    };
    for (const segment of ['seg_unknown', foreign, elsewhere]) {
      expect(await hintOf({ segment, is: true })).toEqual([
        400,
        'steps[1].where.any[0].segment: must be a segment of this app',
      ]);
    }
    for (const segment of [payers, behind]) {
      expect(await hintOf({ segment, is: true, asOf: 'event' })).toEqual([
        400,
        'steps[1].where.any[0].asOf: can be event where did, didNot and firstSeen alone decide',
      ]);
    }
    expect((await answer({ kind: 'lifecycle', selection: opened(inside(true)) })).status).toBe(200);
    expect((await hintOf({ segment: lookers }))[0]).toBe(400);
    const seven = await Promise.all(
      Array.from({ length: 7 }, (_, n) => make(`Number ${n}`, { any: [{ did: {} }] })),
    );
    const where = { any: seven.map((segment) => ({ segment, is: true })) };
    const many = await answer({ kind: 'series', series: [{ where }] });
    expect([many.status, many.body.error.hint]).toEqual([
      400,
      'series[0].where.any[6].segment: is one of more than 6 segments',
    ]);
  });

  test('is no condition within a segment, nor of a flag', async () => {
    const rule = { all: [{ did: { events: ['app_opened'], where: inside(true) } }] };
    const made = await call(`/v1/apps/${app.appId}/segments`, {
      headers: org.key,
      body: { name: 'Within', rule },
    });
    expect([made.status, made.body.error.hint]).toEqual([
      400,
      'rule.all[0].did.where.all[0].segment: is a clause of its own in a segment',
    ]);
  });
});

describe('a saved question that names a segment', () => {
  const headers = org.key;
  const questions = `/v1/apps/${app.appId}/questions`;
  const segments = `/v1/apps/${app.appId}/segments`;
  const question = (segment: string) => ({
    kind: 'series',
    series: [{ where: { all: [{ segment, is: true }] } }],
  });

  test('is a use of it, and keeps it from being deleted', async () => {
    const segment = await make('Used', { any: [{ did: {} }] });
    const body = { name: 'Of the used', question: question(segment) };
    const saved = await call(questions, { headers, body });
    expect(saved.status).toBe(201);
    const uses = async () => (await call(`${segments}/${segment}/uses`, { headers })).body.uses;
    const remove = () => call(`${segments}/${segment}`, { method: 'DELETE', headers });
    const { id } = saved.body;
    expect(await uses()).toEqual([{ kind: 'question', id, name: 'Of the used' }]);
    expect((await remove()).status).toBe(409);
    const renamed = { method: 'PUT', headers, body: { name: 'Renamed' } };
    expect((await call(`${questions}/${id}`, renamed)).status).toBe(200);
    expect(await uses()).toEqual([{ kind: 'question', id, name: 'Renamed' }]);
    const plain = { kind: 'series', series: [{ events: ['app_opened'] }] };
    const edited = { method: 'PUT', headers, body: { question: plain } };
    expect((await call(`${questions}/${id}`, edited)).status).toBe(200);
    expect(await uses()).toEqual([]);
    const again = { method: 'PUT', headers, body: { question: question(segment) } };
    expect((await call(`${questions}/${id}`, again)).status).toBe(200);
    expect((await remove()).status).toBe(409);
    const deleted = await call(`${questions}/${id}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(204);
    expect((await remove()).status).toBe(204);
  });

  test('names one that is there', async () => {
    const body = { name: 'Of nobody', question: question('seg_unknown') };
    const saved = await call(questions, { headers, body });
    expect([saved.status, saved.body.error.hint]).toEqual([
      400,
      'question.series[0].where.all[0].segment: must be a segment of this app',
    ]);
  });
});
