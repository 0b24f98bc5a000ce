import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { texts } from '../../src/console/texts/index.ts';
import { atAddress, inOrganization } from '../../src/shared/console-pages.ts';
import { launchChromium } from '../support/clients/chromium.ts';
import { accessibilityFaults } from '../support/console/axe.ts';
import { addressesOf } from '../support/console/addresses.ts';
import { visitDemo } from '../support/console/demo.ts';
import { type Owner, startOwner } from '../support/console/owner.ts';
import { ORGANIZATION_PAGES } from '../support/console/pages.ts';
import { faultsOfWidth, faultsOnEveryScreen, visit } from '../support/console/visit.ts';
import { createTestMember } from '../support/people.ts';
import { until } from '../support/until.ts';

const PEOPLE = 120;
const FORBIDDEN = texts.errors.forbidden;
const WIDE = { width: 1440, height: 900 };
const DRAWN = 'main:has(h1):not(:has([aria-busy="true"]))';
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
const [app] = demo?.apps ?? [];
const appPath = `/apps/${app?.appId}`;
let owner: Owner | undefined;
beforeAll(async () => {
  if (browser) owner = await startOwner(browser);
});
afterAll(async () => {
  await browser?.close();
  await owner?.instance.stop();
});

async function open(path: string, page = demo?.visitor.page): Promise<Page> {
  if (!demo || !page) throw new Error('There is no Chromium here.');
  const { origin } = new URL(demo.visitor.page.url());
  await page.setViewportSize(WIDE);
  await page.goto(`${origin}${path}`);
  await page.locator(DRAWN).waitFor();
  return page;
}

const addresses = () => addressesOf(appPath, open);

describe.skipIf(!browser)('an organization without an app', () => {
  test.each([...ORGANIZATION_PAGES])('has something to read or to do on %s', async (path) => {
    if (!owner) return;
    const { page } = owner;
    await owner.open(path);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(await page.locator('main :is(a, button:enabled, input)').count()).toBeGreaterThan(0);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(owner.faults).toEqual([]);
  });
});

/** What it shows came with the session. */
const INTERNAL = { error: { code: 'internal', message: 'Something went wrong on our side.' } };
const AWAY = {
  'is away': {
    refuse: (route: Route) => route.abort(),
    says: 'The service cannot be reached.',
    // It looks as below.
    faultsOf: faultsOfWidth,
  },
  fails: {
    refuse: (route: Route) =>
      route.fulfill({ status: 500, headers: { 'x-request-id': 'req-failed' }, json: INTERNAL }),
    says: 'req-failed',
    faultsOf: faultsOnEveryScreen,
  },
} as const;

describe.skipIf(!demo).each(Object.entries(AWAY))(
  'while the service %s',
  (_, { refuse, says, faultsOf }) => {
    test('each page says so in its place, and comes back by a click', async () => {
      if (!demo) return;
      for (const path of await addresses()) {
        const page = await demo.visitor.context.newPage();
        // Who one is, and where, is known.
        await page.route(/\/v1\/(?!auth\/get-session)/, refuse);
        const { organizationId } = demo.owner;
        const { path: inside } = atAddress(path);
        await open(inOrganization(organizationId, inside), page);
        await page.waitForLoadState('networkidle');
        const alerts = page.locator('main [role="alert"]');
        const said = await alerts.allTextContents();
        expect([path, said.length > 0]).toEqual([path, true]);
        expect([path, said.filter((text) => !text.includes(says))]).toEqual([path, []]);
        expect(await faultsOf(page)).toEqual([]);
        await page.unrouteAll();
        await page.setViewportSize(WIDE);
        await until(`${path} to come back`, async () => {
          const [again] = await alerts.getByRole('button', { name: 'Try again' }).all();
          // One that came back with another is gone.
          await again?.click({ timeout: 1_000 }).catch(() => undefined);
          return (await alerts.count()) === 0 || undefined;
        });
        await page.locator(DRAWN).waitFor();
        await page.close();
      }
    });
  },
);

describe.skipIf(!demo)('a viewer', () => {
  test('reads every page, and is told what it takes to see or do more', async () => {
    if (!demo || !browser) return;
    const all = await addresses();
    const { origin } = new URL(demo.visitor.page.url());
    const org = { orgId: demo.owner.organizationId };
    const { email, password } = await createTestMember(demo.service, org, 'viewer');
    const viewer = await visit(browser, origin);
    const data = { email, password };
    await viewer.page.request.post(`${origin}/v1/auth/sign-in/email`, {
      data,
      headers: { origin },
    });
    for (const path of all) {
      const page = await open(path, viewer.page);
      await page.waitForLoadState('networkidle');
      const said = await page.locator('main [role="alert"]').allTextContents();
      expect([path, said.filter((text) => !text.startsWith(FORBIDDEN))]).toEqual([path, []]);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await open('/members', viewer.page);
    const invite = viewer.page.getByRole('button', { name: 'Invite somebody' });
    expect(await invite.isDisabled()).toBe(true);
    expect(viewer.faults).toEqual([]);
    await viewer.context.close();
  });
});

const NAMES = {
  long: {
    locale: 'de-DE',
    of: (what: string, most: number) => `${what} ${'Donaudampfschiff'.repeat(8)}`.slice(0, most),
  },
  'right-to-left': {
    locale: 'ar-EG',
    of: (what: string, most: number) => `مفكرة ${what} النباتات والحدائق`.slice(0, most),
  },
} as const;

/** Gives everything that has a name another one. */
async function rename(of: (what: string, most: number) => string): Promise<void> {
  const { sql } = demo!.service.deps;
  const orgId = demo!.owner.organizationId;
  await sql`UPDATE auth.organization SET name = ${of('Org', 80)} WHERE id = ${orgId}`;
  await sql`UPDATE apps SET display_name = ${of('App', 80)} WHERE org_id = ${orgId}`;
  await sql`UPDATE funnels SET name = ${of('Funnel', 80)} WHERE org_id = ${orgId}`;
  await sql`UPDATE experiments SET name = ${of('Experiment', 80)} WHERE org_id = ${orgId}`;
  const event = {
    name: 'app_opened',
    anonymousId: of('device', 128),
    userId: of('user', 128),
    props: { screen: of('screen', 100) },
  };
  const events = [event, { ...event, name: `a${'_long_name'.repeat(6)}` }];
  const context = { platform: 'ios', appVersion: of('2.5', 32) };
  const headers = { 'x-service-key': app?.serviceKey ?? '' };
  const sent = await demo!.service.call('/v1/events', { body: { events, context }, headers });
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)]);
}

describe.skipIf(!demo).each(Object.entries(NAMES))('with %s names', (_, { locale, of }) => {
  test('each page is readable on every screen', async () => {
    if (!demo || !browser) return;
    await rename(of);
    const { origin } = new URL(demo.visitor.page.url());
    const reader = await visit(browser, origin, locale);
    await reader.context.addCookies(await demo.visitor.context.cookies());
    const paths = await addresses();
    const more = ['trends?breakdown=prop%3Ascreen', 'funnels?breakdown=appVersion'];
    for (const path of [...paths, ...more.map((name) => `${appPath}/${name}`)]) {
      await open(path, reader.page);
      await reader.page.waitForLoadState('networkidle');
      expect([path, await reader.page.getByRole('alert').allTextContents()]).toEqual([path, []]);
      expect(await faultsOfWidth(reader.page)).toEqual([]);
    }
    expect(reader.faults).toEqual([]);
    await reader.context.close();
  });
});
