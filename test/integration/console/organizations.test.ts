import { afterAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../support/clients/chromium.ts';
import { APP_PAGES, ORGANIZATION_PAGES } from '../../support/console/pages.ts';
import { faultsOnEveryScreen, type Visit, visit } from '../../support/console/visit.ts';
import { startListening } from '../../support/listening.ts';
import { createTestPerson, signInAs } from '../../support/people.ts';
import { isFullRun } from '../../support/random.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';

const browser = await launchChromium();
const { url, service } = await startListening();
const { sql } = service.deps;
if (browser) await startTestQueries(service.deps);
const person = await createTestPerson(service);

async function makeOrganization(name: string, role: string | null) {
  const org = await createTestOrg(service);
  await sql`UPDATE auth.organization SET name = ${name} WHERE id = ${org.orgId}`;
  if (role !== null) {
    await sql`
      INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
      VALUES (${crypto.randomUUID()}, ${org.orgId}, ${person.userId}, ${role}, now())`;
  }
  return { ...org, app: await createTestApp(service, org.orgId) };
}
const company = await makeOrganization('My company', 'owner');
const fresh = await makeOrganization('Fresh', 'owner');
const strange = await makeOrganization('Somebody else', null);
const at = ({ orgId }: { orgId: string }, path: string) => `/o/${orgId}${path}`;

let visitor: Visit;
let first: Page;
let second: Page;
/** Requests of a tab that name another organization than its address, or none. */
const astray: string[] = [];

function watch(page: Page, orgId: string): void {
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/v1/')) return;
    if (request.headers()['x-organization'] !== orgId) astray.push(`${orgId}: ${pathname}`);
  });
}

const drawn = (page: Page) => page.locator('main:not(:has([aria-busy="true"]))').waitFor();

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await drawn(page);
}

afterAll(() => browser?.close());

describe.skipIf(!browser)('two tabs in two organizations', () => {
  test('each has its own in the address, whatever the other chose', async () => {
    if (!browser) return;
    visitor = await visit(browser, url);
    const { cookie } = await signInAs(service, person);
    const [name = '', value = ''] = cookie.split('=');
    await visitor.context.addCookies([{ name, value, url }]);
    first = visitor.page;
    await open(first, '/sales?days=7');
    await first.waitForURL(`**${at(company, '/sales?days=7')}`);
    second = await visitor.context.newPage();
    await open(second, '/');
    await second.locator('.sidebar .organization-switch').click();
    await second.getByRole('menuitemradio', { name: 'Fresh' }).click();
    await second.waitForURL(`**${at(fresh, '/')}`);
    await second.locator('.sidebar .organization-switch').getByText('Fresh').waitFor();
    await first.reload();
    await first.locator('.sidebar .organization-switch').getByText('My company').waitFor();
  });

  test('each request of every page names the organization of its tab', async () => {
    watch(first, company.orgId);
    watch(second, fresh.orgId);
    const pagesOf = (org: typeof company) => [
      ...ORGANIZATION_PAGES.map((path) => at(org, path)),
      ...APP_PAGES.map((name) => at(org, `/apps/${org.app.appId}/${name}`)),
    ];
    const some = pagesOf(fresh).filter((_, index) => isFullRun || index % 7 === 0);
    for (const [page, org, paths] of [
      [first, company, pagesOf(company)],
      [second, fresh, some],
    ] as const) {
      for (const path of paths) await open(page, path);
      // A link that is opened in another tab has it too.
      const links: string[] = await page
        .locator('a[href^="/"]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      const others = links.filter((href) => !href.startsWith(at(org, '/')));
      expect(others.filter((href) => !/^\/(help|docs)/.test(href))).toEqual([]);
      expect(links.length).toBeGreaterThan(10);
    }
    expect(astray).toEqual([]);
  });

  test('what is done lands where the tab says', async () => {
    for (const [page, org] of [
      [first, company],
      [second, fresh],
      [first, company],
    ] as const) {
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Members' }).click();
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      const invite = page.getByRole('dialog');
      const email = `${crypto.randomUUID()}@example.com`;
      await invite.getByLabel('E-mail address').fill(email);
      await invite.getByRole('button', { name: 'Invite' }).click();
      await invite.locator('.notice code').waitFor();
      const rows = await sql<{ orgId: string }[]>`
        SELECT "organizationId" AS "orgId" FROM auth.invitation WHERE email = ${email}`;
      expect(rows.map(({ orgId }) => orgId)).toEqual([org.orgId]);
      await page.keyboard.press('Escape');
      await open(page, at(org, '/'));
    }
    expect(astray).toEqual([]);
  });

  test('an address without one leads to that of its app, and says so', async () => {
    const third = await visitor.context.newPage();
    const path = `/apps/${company.app.appId}/trends?days=7`;
    await open(third, path);
    await third.waitForURL(`**${at(company, path)}`);
    await third.getByText('This page is of My company. You worked in Fresh before.').waitFor();
    expect(await faultsOnEveryScreen(third)).toEqual([]);
    await third.close();
  });

  test('at that of others one chooses among those of oneself', async () => {
    const third = await visitor.context.newPage();
    await third.goto(`${url}${at(strange, '/members')}`);
    await third.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    await third.getByRole('button', { name: 'Go on in Fresh' }).waitFor();
    expect(await third.textContent('body')).not.toContain('Somebody else');
    expect(await faultsOnEveryScreen(third)).toEqual([]);
    await third.getByRole('button', { name: 'Go on in Fresh' }).click();
    await third.waitForURL(`**${at(fresh, '/')}`);
    await third.close();
  });

  test('whose membership ends meanwhile is led to the others', async () => {
    await open(second, at(fresh, '/'));
    await sql`
      DELETE FROM auth.member WHERE "organizationId" = ${fresh.orgId} AND "userId" = ${person.userId}`;
    service.deps.identity.authenticator.forgetUser(person.userId);
    await second.getByRole('link', { name: 'Sales', exact: true }).click();
    await second.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    await second.getByRole('button', { name: 'Go on in My company' }).click();
    await second.waitForURL(`**${at(company, '/')}`);
    expect(visitor.faults).toEqual([]);
  });
});
