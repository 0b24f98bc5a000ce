import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../../support/clients/chromium.ts';
import { APP_PAGES, ORGANIZATION_PAGES } from '../../support/console/pages.ts';
import { faultsOnEveryScreen, type Visit, visit } from '../../support/console/visit.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

const browser = await launchChromium();
const PASSWORD = 'correct horse battery 9';
let instance: Instance;
let owner: Visit;
let appPath = '';

beforeAll(async () => {
  if (!browser) return;
  instance = await startInstance({ env: { RATE_LIMIT_SCALE: '100' } });
  owner = await visit(browser, new URL(instance.url).origin);
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

/** What a role sees of every page: errors, what it is told that others may do, and what it may do. */
async function walkAs({ page, go }: Visit) {
  const errors: string[] = [];
  const managersOnly: string[] = [];
  const mayPress: string[] = [];
  for (const path of [...ORGANIZATION_PAGES, ...APP_PAGES.map((name) => `${appPath}/${name}`)]) {
    await go(path);
    await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
    const name = path.replace(`${appPath}/`, '');
    for (const text of await page.getByRole('alert').allTextContents()) {
      errors.push(`${name}: ${text}`);
    }
    const told = page.getByText('Owners and admins can do this.');
    if (await told.first().isVisible()) managersOnly.push(name);
    const acts = page.locator('main :is(button.primary, button.danger):enabled:visible');
    for (const text of await acts.allTextContents()) mayPress.push(`${name}: ${text}`);
  }
  return { errors, managersOnly, mayPress };
}

describe.skipIf(!browser)('the console', () => {
  test('leads from an empty installation to the first event on screen', async () => {
    const { page, go } = owner;
    await go('/');
    await page.getByLabel('Name of the organization').fill('Acme');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('button', { name: 'Add an app' }).first().click();
    const add = page.getByRole('dialog');
    await add.getByLabel('Name', { exact: true }).fill('Focus Timer');
    await add.getByRole('button', { name: 'Add the app' }).click();
    await page.getByRole('heading', { name: 'Connect' }).waitFor();
    await page.getByText('Waiting for the first event').waitFor();
    appPath = new URL(page.url()).pathname.replace('/connect', '');

    await page.getByText('It is shown this once').waitFor();
    await page.getByRole('tab', { name: 'curl' }).click();
    const snippet = (await page.locator('.snippet pre').textContent()) ?? '';
    const ran = Bun.spawnSync(['sh', '-c', snippet.replace('curl ', 'curl -sf ')]);
    expect(ran.stdout.toString()).toBe('{"accepted":1}');
    await page.locator('.light[data-on="true"]').waitFor();
    await page.locator('.heard', { hasText: 'person-0001' }).waitFor();

    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.getByRole('cell', { name: 'person-0001' }).waitFor();
  });

  test('shows counts and the next step where a rate is refused', async () => {
    const { page, go } = owner;
    await go(`${appPath}/funnels`);
    await page.getByText('1 of 50 people').waitFor();
    await page.getByText("At today's pace it takes a range of about 50 days.").waitFor();
    await page.getByRole('button', { name: 'Look at 90 days' }).click();
    await page.waitForURL('**/funnels?days=90');
  });

  test('a viewer joins by invitation, sees figures, and is told who may do the rest', async () => {
    if (!browser) return;
    await owner.go('/members');
    await owner.page.locator('main:not(:has([aria-busy="true"]))').waitFor();
    await owner.page.getByRole('button', { name: 'Invite somebody' }).click();
    const invite = owner.page.getByRole('dialog');
    await invite.getByLabel('E-mail address').fill('vic@example.com');
    await invite.getByLabel('Viewer').check();
    await invite.getByRole('button', { name: 'Invite' }).click();
    const link = (await invite.locator('.notice code').textContent()) ?? '';

    const viewer = await visit(browser, new URL(instance.url).origin);
    await viewer.page.goto(link);
    await viewer.page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await viewer.page.getByText('ada@example.com invites you as a viewer.').waitFor();
    expect(new URL(viewer.page.url()).hash).toBe('');
    expect(await faultsOnEveryScreen(viewer.page)).toEqual([]);
    await viewer.page.setViewportSize({ width: 1200, height: 900 });
    await viewer.page.getByLabel('Your name').fill('Vic');
    await viewer.page.getByLabel('New password').fill(PASSWORD);
    await viewer.page.getByRole('button', { name: 'Make an account and join' }).click();
    await viewer.page.getByRole('link', { name: 'Focus Timer' }).first().waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Add an app' }).isDisabled()).toBe(true);
    const seen = await walkAs(viewer);
    expect(seen.errors).toEqual([]);
    // Their own account, and looking.
    expect(seen.mayPress).toEqual([
      '/account: Change it',
      '/account: Set it up',
      '/account: Create it',
      '/account: Join it',
      '/account: Leave it',
    ]);
    expect(seen.managersOnly).toEqual([
      '/store',
      '/webhooks',
      '/messages',
      '/organization',
      '/members',
      '/keys',
      '/audit',
      'purchases',
    ]);
    expect(viewer.faults).toEqual([]);
    await viewer.context.close();
  });

  test('every page is accessible in light and dark, wide and narrow, and asks nobody else', async () => {
    const { page, go, faults } = owner;
    const apps = [...APP_PAGES, 'people?search=person', 'people/person-0001'];
    for (const path of [...ORGANIZATION_PAGES, ...apps.map((name) => `${appPath}/${name}`)]) {
      await go(path);
      await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
      expect(await faultsOnEveryScreen(page)).toEqual([]);
    }
    // Narrow, five tabs stand at the bottom, and the other pages behind the last of them.
    await page.setViewportSize({ width: 375, height: 700 });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').nth(3).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Retention' }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 700 });
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
