import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

/*
 * A small app, looked at every day: eight new people a day, some of whom come back. No answer is only
 * a refusal: each says how many there are, and when it will say more.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-02T00:00:00Z');
const DAYS = 30;
const NEW_A_DAY = 8;
/** The evening of a day: people of the day have come. */
const evening = (day: number) => START + day * DAY + 20 * HOUR;
const LOOKED_AT = isFullRun ? Array.from({ length: DAYS }, (_, day) => day) : [0, 6, 8, 16, 29];

let now = evening(0);
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => new Date(now) }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);
const headers = org.key;
const path = `/v1/apps/${app.appId}`;
const post = async (tail: string, body: object) =>
  (await call(`${path}${tail}`, { headers, body })).body;
const look = (tail: string) => call(`${path}${tail}`, { headers });

type Forecast = {
  people: number;
  missingPeople: number;
  peoplePerDay: number;
  expectedAt: string | null;
  windowDays: number | null;
  text: string;
};

/** What an answer that draws nothing has to say all the same. */
function expectForecast(what: string, forecast: Forecast | undefined, people: number) {
  expect([what, forecast?.people]).toEqual([what, people]);
  if (!forecast) return;
  expect(forecast.missingPeople).toBe(50 - people);
  expect(forecast.text).toContain(`${people} of 50 people`);
  expect([what, forecast.expectedAt !== null || forecast.windowDays !== null]).toEqual([
    what,
    true,
  ]);
  if (forecast.expectedAt !== null) {
    expect(Date.parse(forecast.expectedAt)).toBeGreaterThan(now);
    expect(forecast.text).toMatch(/in about \d+ days?\.$/);
  }
}

/** The day on which an answer came, and the days that were named before. */
class Promised {
  readonly #named: number[] = [];
  answered: number | null = null;

  take(day: number, forecast: Forecast | undefined) {
    if (forecast?.expectedAt) this.#named.push((Date.parse(forecast.expectedAt) - START) / DAY);
    else this.answered ??= day;
  }

  /** Looked at on some days only, the answer lies between the last refusal and the first answer. */
  expectKept(what: string) {
    expect([what, this.answered !== null]).toEqual([what, true]);
    for (const named of this.#named) {
      expect(named).toBeGreaterThan(5);
      expect(named).toBeLessThan(9);
    }
  }
}

const random = randomFrom(3);
const everybody: string[] = [];

async function live(day: number): Promise<void> {
  now = evening(day);
  const fresh = Array.from({ length: NEW_A_DAY }, (_, n) => `person-${day}-${n}-0000`);
  const back = everybody.filter(() => random() < 0.1);
  everybody.push(...fresh);
  const events = [...fresh, ...back].flatMap((anonymousId, index) => {
    const at = (hours: number) => new Date(now - (10 - hours) * HOUR + index * 1_000).toISOString();
    const steps = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];
    const depth = 1 + Math.floor(random() * 4);
    return steps
      .slice(0, depth)
      .map((name, step) => ({ name, ts: at(step), anonymousId, props: { plan: step } }));
  });
  for (let n = 0; n < events.length; n += 100) {
    const body = {
      events: events.slice(n, n + 100),
      context: { platform: 'ios', appVersion: '1.0' },
    };
    expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  }
  for (const anonymousId of fresh) {
    const shown = await call(`/v1/experiments?anonymousId=${anonymousId}`, { headers: app.device });
    expect(shown.status).toBe(200);
  }
}

test('an app with eight new people a day is never only refused, on any of thirty days', async () => {
  const arms = [];
  for (const name of ['long', 'short']) {
    const { id } = await post('/onboardings', { name, config: { name } });
    arms.push({ name, weight: 1, onboardingId: id });
  }
  const steps = ['app_opened', 'onboarding_completed', 'purchase_completed'].map((event) => ({
    event,
    label: event,
  }));
  const funnel = await post('/funnels', { name: 'Main', steps, isDefault: true });
  const experiment = await post('/experiments', { name: 'Long or short', arms });
  const started = await call(`${path}/experiments/${experiment.id}`, {
    method: 'PATCH',
    headers,
    body: { status: 'running' },
  });
  expect(started.status).toBe(200);

  const promised = { funnel: new Promised(), retention: new Promised(), people: new Promised() };
  for (let day = 0; day < DAYS; day += 1) {
    await live(day);
    if (day === 10) await compactEverything(deps);
    if (!LOOKED_AT.includes(day)) continue;
    const soFar = NEW_A_DAY * (day + 1);

    // Series: counts every day, and when ratios and changes come.
    const series = (await look('/events/series?active=true')).body;
    expect(series.points.at(-1).people).toBeGreaterThanOrEqual(NEW_A_DAY);
    expect(series.active.points.at(-1).mau).toBe(Math.min(soFar, NEW_A_DAY * 28 + 999));
    expect(series.forecast.text).toMatch(/\d+ of 50 people.* in about \d+ days?\.$/);
    const isRatio = series.totals.people >= 50;
    expect(series.active.dauOverMau !== null).toBe(isRatio);
    if (isRatio) expect(series.forecast.text).toStartWith('The window before has ');
    else {
      // Of the days that are over, or of the one that is not where more have come.
      const seen = Math.max(series.totals.people, series.points.at(-1).people);
      expectForecast('series', series.forecast, seen);
    }

    // Who is behind a point: listed, or refused with the count and a time.
    const behind = await look(`/events/series/people?point=${series.points.at(-1).from}`);
    if (soFar < 50) {
      expect(behind.status).toBe(409);
      expect(behind.body.error.hint).toMatch(/\d+ of 50 people so far\..* in about \d+ days?\./);
    } else expect(behind.body.people.length).toBe(series.points.at(-1).people);

    // Retention: sizes every day, and when rates come; small cohorts have counts.
    const retention = (await look('/events/retention?interval=day&days=14')).body;
    expect(retention.cohorts.at(-1).people).toBe(NEW_A_DAY);
    if (retention.verdict === 'ready') expect(retention.forecast).toBeUndefined();
    else expectForecast('retention', retention.forecast, retention.people);
    promised.retention.take(day, retention.forecast);
    if (day === 29) {
      expect(retention.cohorts[0].periods[0].returned).toBeNumber();
      expect(retention.cohorts[0].periods[0].rate).toBeNull();
      expect(retention.mean[0].rate).toBeNumber();
    }

    // The funnel: counts every day, rates from fifty on.
    const report = (await look(`/funnels/${funnel.id}/report`)).body;
    expect(report.people).toBe(soFar);
    expect(report.overall.rate !== null).toBe(soFar >= 50);
    if (report.verdict === 'ready') expect(report.forecast).toBeUndefined();
    else expectForecast('funnel', report.forecast, soFar);
    promised.funnel.take(day, report.forecast);
    const listed = await look(`/funnels/${funnel.id}/people?step=1`);
    expect(listed.status).toBe(soFar >= 50 ? 200 : 409);
    if (soFar < 50) expect(listed.body.error.hint).toContain(report.forecast.text);

    // A window that is too short for the app says how long it takes.
    if (day === 6) {
      const short = (await look(`/funnels/${funnel.id}/report?days=3`)).body;
      expect(short.verdict).toBe('too_few_people');
      expect(short.forecast.windowDays).toBeGreaterThan(3);
      expect(short.forecast.text).toContain('it takes a window of about');
    }

    const summary = (await look('/events/summary')).body;
    expect(summary.people).toBe(soFar);
    const properties = (await look('/events/properties?name=app_opened')).body;
    expect(properties.properties[0].values).toEqual([{ value: '0', events: properties.events }]);

    // Insights: the funnel with its forecast, and a recommendation that says when.
    const insights = (await look('/insights')).body;
    if (insights.funnel.verdict !== 'ready' && insights.funnel.people > 0) {
      expectForecast('insights', insights.funnel.forecast, insights.funnel.people);
    }
    for (const { code, detail } of insights.recommendations) {
      if (code === 'too_few_people') expect(detail).toMatch(/\d+ of 50 people.*\d+ days?\.$/);
    }

    // The experiment: people by arm every day, and about how many more people and days it takes.
    const {
      answer,
      people,
      arms: shown,
    } = (await look(`/experiments/${experiment.id}/report`)).body;
    expect(people).toBe(soFar);
    for (const arm of shown) expect(arm.people).toBeGreaterThan(0);
    expect(answer.verdict).toBe('not_decided');
    expect(answer.text).toMatch(/^Not decided, about .*\d+ (days?|months): /);
    const sizes = (await look(`/experiments/${experiment.id}/sizes`)).body;
    expect(sizes.people).toBeNumber();
    expect(sizes.rate !== null || sizes.daysUntilRate !== null || sizes.people === 0).toBe(true);
    // Eight a day, of whom a conversion window is over.
    if (sizes.daysUntilRate !== null) expect(sizes.daysUntilRate).toBeLessThan(9);
  }
  promised.funnel.expectKept('funnel');
  promised.retention.expectKept('retention');
});
