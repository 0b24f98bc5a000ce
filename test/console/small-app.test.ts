import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { APP_PAGES } from '../support/console/pages.ts';
import { until } from '../support/until.ts';

const PEOPLE_A_DAY = 8;
const DAY_MS = 86_400_000;
const AGES =
  process.env.TEST_FULL === '1' ? Array.from({ length: 30 }, (_, day) => day + 1) : [1, 7, 30];
const NAMES = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];
const browser = await launchChromium();
let owner: Owner;

/** The events of somebody who came so many days ago: the more, the further they got. */
function eventsOf(person: number, daysAgo: number) {
  const firstMs = Date.now() - daysAgo * DAY_MS - 3_600_000;
  return NAMES.slice(0, 1 + (person % NAMES.length)).map((name, step) => ({
    id: `event-${daysAgo}-${person}-${step}`,
    name,
    anonymousId: `person-${daysAgo}-${person}`,
    ts: new Date(firstMs + step * 60_000).toISOString(),
  }));
}

/** An app that has eight new people a day since so many days. */
async function makeApp(age: number): Promise<string> {
  const { call, instance, page } = owner;
  const body = { slug: `small-${age}`, displayName: `Small ${age}` };
  const app = (await call('POST', '/v1/apps', body)) as { id: string };
  const made = { name: 'app', environment: 'production' };
  const { secret } = (await call('POST', `/v1/apps/${app.id}/keys`, made)) as { secret: string };
  const events = Array.from({ length: age }, (_, daysAgo) =>
    Array.from({ length: PEOPLE_A_DAY }, (_, person) => eventsOf(person, daysAgo)),
  ).flat(2);
  for (let from = 0; from < events.length; from += 100) {
    const answer = await page.request.post(new URL('/v1/events', instance.url).href, {
      headers: { 'x-service-key': secret },
      data: {
        events: events.slice(from, from + 100),
        context: { platform: 'ios', appVersion: '1.0.0' },
      },
    });
    expect([answer.status(), await answer.text()]).toEqual([202, expect.any(String)]);
  }
  // What was accepted is readable a moment later.
  await until('the people of the app', async () => {
    const path = `/v1/apps/${app.id}/events/summary?days=60`;
    const { people } = (await call('GET', path)) as { people: number };
    return people === age * PEOPLE_A_DAY || undefined;
  });
  return `/apps/${app.id}`;
}

beforeAll(async () => {
  if (browser) owner = await startOwner(browser);
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

describe.skipIf(!browser)('an app with eight new people a day', () => {
  test.each(AGES)('is worth opening after %d days: no page only refuses', async (age) => {
    const { page, open } = owner;
    const path = await makeApp(age);
    const people = age * PEOPLE_A_DAY;
    const inWindow = Math.min(age, 28) * PEOPLE_A_DAY;
    await open(`${path}/funnels`);
    const main = page.locator('main');
    if (inWindow < 50) {
      await main.getByText(`${people} of 50 people`).waitFor();
      await main.getByText(/At today's pace/).waitFor();
    } else {
      await main.locator('.card').getByText('%').first().waitFor();
    }
    // Marketing waits for a provider, however many people there are.
    for (const name of APP_PAGES.filter((one) => one !== 'marketing')) {
      await open(`${path}/${name}`);
      expect([name, await page.getByRole('alert').allTextContents()]).toEqual([name, []]);
      const says = (await main.textContent()) ?? '';
      const next = await main.locator('a:not([href^="/help"]), button:enabled').count();
      expect([name, /\d/.test(says) || next > 0]).toEqual([name, true]);
    }
    await open(`${path}/today`);
    const first = main.locator('.kpi-figure').first();
    expect(Number(await first.textContent())).toBeGreaterThanOrEqual(PEOPLE_A_DAY);
    await open(`${path}/retention`);
    await main.locator('td').filter({ hasText: /\d/ }).first().waitFor();
  });
});
