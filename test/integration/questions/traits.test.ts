import { beforeAll, describe, expect, test } from 'bun:test';
import { startAnswers } from '../../support/answers.ts';
import { compactEverything } from '../../support/queries.ts';

const NOW = Date.parse('2026-03-12T15:00:00Z');
const DAY = 86_400_000;
const { call, deps, org, app } = await startAnswers(NOW);
const path = `/v1/apps/${app.appId}`;
const post = async (tail: string, body: object) =>
  (await call(`${path}${tail}`, { headers: org.key, body })).body;

const ask = async (body: object) => {
  const asked = { headers: org.key, body };
  const { status, body: said } = await call(`${path}/questions/answer`, asked);
  expect({ status, said: status === 200 || said }).toEqual({ status: 200, said: true });
  return said;
};

const id = (index: number) => `person-${index}`.padEnd(12, '-');
const at = (day: number, minute = 0) => new Date(NOW - day * DAY + minute * 60_000).toISOString();

async function send(events: object[], context: object) {
  const body = { events, context };
  expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
}
const opened = (indexes: readonly number[], day: number) =>
  indexes.map((index) => ({ name: 'app_opened', ts: at(day), anonymousId: id(index) }));

const ALL = Array.from({ length: 90 }, (_, index) => index);
const arms: { id: string; name: string }[] = [];
const shown = new Map<string, number[]>();

/**
 * Sixty people begin on iOS, thirty on Android; all of them are on the web the next days. The first
 * ten sign in at last as ten people, who began on a device of their own before.
 */
beforeAll(async () => {
  const drafts = [];
  for (const name of ['control', 'short']) {
    const { id } = await post('/onboardings', { name, config: {} });
    drafts.push({ name, weight: 1, onboardingId: id });
  }
  const experiment = await post('/experiments', { name: 'Long or short', arms: drafts });
  arms.push(...experiment.arms);
  const start = { method: 'PATCH', headers: org.key, body: { status: 'running' } };
  await call(`${path}/experiments/${experiment.id}`, start);
  for (const index of ALL.slice(0, 80)) {
    const asked = `/v1/experiments?anonymousId=${id(index)}`;
    const { body } = await call(asked, { headers: app.device });
    shown.set(body.arm.armId, [...(shown.get(body.arm.armId) ?? []), index]);
  }
  await send(opened(ALL.slice(0, 60), 3), { platform: 'ios', appVersion: '2.9', country: 'DE' });
  await send(opened(ALL.slice(60), 3), { platform: 'android', appVersion: '1.4' });
  for (const day of [2, 1]) await send(opened(ALL, day), { platform: 'web', country: 'FR' });
  await compactEverything(deps);
});

const WINDOW = { from: '2026-03-10', to: '2026-03-11', timezone: 'UTC' };
const where = (...all: object[]) => ({ where: { all } });
const OF_IOS = { field: 'first:platform', op: 'is', value: 'ios' };
const BY_VERSION = { field: 'first:appVersion', op: 'gte', value: '2.0' };
const NOT_GERMAN = { field: 'first:country', op: 'isNot', value: 'DE' };
const people = ({ totals }: any) => totals.people;

describe('what the first event of a person had', () => {
  test('is a condition of every kind, alone and beside others', async () => {
    const web = { field: 'platform', op: 'is', value: 'web' };
    const { series } = await ask({
      kind: 'series',
      series: [
        where(OF_IOS),
        where(OF_IOS, BY_VERSION, web),
        where(NOT_GERMAN),
        { where: { any: [NOT_GERMAN, { all: [OF_IOS, { ...web, value: 'ios' }] }] } },
      ],
      ...{ ...WINDOW, compare: false },
    });
    expect(series.map(people)).toEqual([60, 60, 30, 30]);
    const retention = { kind: 'retention', interval: 'day', cohort: 'recurring', ...WINDOW };
    const { cohorts } = await ask({ ...retention, start: where(BY_VERSION) });
    expect([cohorts[0].people, cohorts[0].periods[0].returned]).toEqual([60, 60]);
    const steps = [{ events: ['app_opened'] }, { events: ['app_opened'] }];
    const funnel = await ask({ kind: 'funnel', steps, ...where(NOT_GERMAN), ...WINDOW });
    expect(funnel.people).toBe(30);
    const selection = where(OF_IOS);
    const measure = { of: 'events' };
    const measured = await ask({
      ...{ kind: 'measures', selection, measure, compare: false },
      ...WINDOW,
    });
    expect(measured.totals.value).toBe(120);
  });

  test('is a breakdown of series, funnels, retention and measures', async () => {
    const by = { breakdown: 'first:platform', compare: false, ...WINDOW };
    const { series } = await ask({ kind: 'series', series: [{}], ...by });
    const shown = series.map((one: any) => [one.key, people(one)]);
    expect(shown).toEqual([
      ['ios', 60],
      ['android', 30],
    ]);
    const { compare: _, ...asked } = by;
    const retention = { kind: 'retention', interval: 'day', cohort: 'recurring' };
    const { breakdown } = await ask({ ...retention, ...asked });
    expect(breakdown.map((one: any) => [one.value, one.people])).toEqual(shown);
    const steps = [{ events: ['app_opened'] }, { events: ['app_opened'] }];
    const funnel = await ask({ kind: 'funnel', steps, ...asked });
    expect(funnel.breakdown.map((one: any) => [one.value, one.people])).toEqual(shown);
    const measure = { of: 'events' };
    const measured = await ask({ kind: 'measures', measure, ...by });
    expect(measured.series.map((one: any) => [one.key, one.totals.value])).toEqual([
      ['ios', 120],
      ['android', 60],
    ]);
  });

  test('is of whichever device a person had first', async () => {
    const older = ALL.slice(0, 10).map((index) => ({
      ...{ name: 'app_opened', ts: at(9), anonymousId: `older-${id(index)}` },
      userId: `user-${index}`,
    }));
    await send(older, { platform: 'macos' });
    const signIns = ALL.slice(0, 10).map((index) => ({
      ...{ name: 'signed_in', ts: at(1, 60), anonymousId: id(index), userId: `user-${index}` },
    }));
    await send(signIns, { platform: 'web' });
    const asked = { kind: 'series', compare: false, ...WINDOW };
    const { series } = await ask({ ...asked, series: [where(OF_IOS)] });
    expect(people(series[0])).toBe(50);
    const opening = { events: ['app_opened'] };
    const broken = await ask({ ...asked, series: [opening], breakdown: 'first:platform' });
    expect(broken.series.map((one: any) => [one.key, people(one)])).toEqual([
      ['ios', 50],
      ['android', 30],
      ['macos', 10],
    ]);
  });
});

describe('the arm of an experiment', () => {
  const asked = { kind: 'series', compare: false, ...WINDOW };
  const ARM = { field: 'arm', op: 'is' };
  const opening = (...all: object[]) => ({ events: ['app_opened'], ...where(...all) });

  test('is a condition, and a breakdown by its name', async () => {
    const [one, two] = arms.map((arm) => ({ ...arm, size: shown.get(arm.id)?.length ?? 0 }));
    const { series } = await ask({
      ...asked,
      series: [
        opening({ ...ARM, value: one!.id }),
        opening({ ...ARM, op: 'isNot', value: one!.id }),
        opening({ field: 'arm', op: 'isNotSet' }),
        opening({ field: 'arm', op: 'isOneOf', values: [one!.id, two!.id] }),
      ],
    });
    expect(series.map(people)).toEqual([one!.size, 90 - one!.size, 10, 80]);
    const broken = await ask({ ...asked, series: [{ events: ['app_opened'] }], breakdown: 'arm' });
    const found = new Map(broken.series.map((one: any) => [one.key, people(one)]));
    expect(found).toEqual(
      new Map([
        [one!.name, one!.size],
        [two!.name, two!.size],
        ['none', 10],
      ]),
    );
  });

  test.each([
    [{ ...ARM, value: 'arm_x' }, 'value: must be an arm of an experiment that has started'],
    [
      { field: 'arm', op: 'contains', value: 'x' },
      'op: of an arm must be one of is, isNot, isOneOf, isSet, isNotSet',
    ],
    [
      { field: 'first:appVersion', op: 'gt', value: 'new' },
      'value: must be a version such as 2.10',
    ],
  ])('that cannot be asked names its place: %j', async (condition, hint) => {
    const body = { ...asked, series: [where({ all: [condition] })] };
    const refused = await call(`${path}/questions/answer`, { headers: org.key, body });
    expect([refused.status, refused.body.error.hint]).toEqual([
      400,
      `series[0].where.all[0].all[0].${hint}`,
    ]);
  });

  test('is no condition within a segment', async () => {
    const did = { events: ['app_opened'], ...where(OF_IOS) };
    const body = { name: 'Acquired on iOS', rule: { all: [{ did }] } };
    const refused = await call(`${path}/segments`, { headers: org.key, body });
    expect([refused.status, refused.body.error.hint]).toEqual([
      400,
      'rule.all[0].did.where.all[0].field: is of a person, not of an event',
    ]);
  });
});
