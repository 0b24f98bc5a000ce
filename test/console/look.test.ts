import { afterAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const PEOPLE = 360;
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
const appPath = `/apps/${demo?.apps[0]?.appId}`;
afterAll(() => browser?.close());

async function open(path: string) {
  if (!demo) throw new Error('There is no Chromium here.');
  const { page, go } = demo.visitor;
  await page.setViewportSize({ width: 1200, height: 900 });
  await go(path);
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  return page;
}

describe.skipIf(!demo)('a funnel', () => {
  test('is made of names that the app sends, with a hint on one that it does not', async () => {
    const page = await open(`${appPath}/funnels`);
    await page.getByRole('button', { name: 'New funnel' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Paying');
    await page.getByLabel('Event').nth(0).fill('app_opened');
    await page.getByLabel('Event').nth(1).fill('paywall_viewd');
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByLabel('Event').nth(2).fill('purchase_completed');
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the funnel' }).click();
    await page.getByRole('heading', { name: 'Funnel · Paying' }).waitFor();
    await page.locator('.notice', { hasText: 'paywall_viewed' }).first().waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Event').nth(1).fill('paywall_viewed');
    await page.getByRole('button', { name: 'Save the funnel' }).click();
    await page.locator('.steps li', { hasText: 'paywall_viewed' }).waitFor();
    expect(await page.locator('.steps li').count()).toBe(3);
  });

  test('is broken down and compared, and shows what chance alone could do', async () => {
    const page = await open(`${appPath}/funnels?breakdown=platform&compare=previous`);
    await page.getByRole('heading', { name: 'With the window before' }).waitFor();
    await page.getByRole('row', { name: /^ios/ }).waitFor();
    expect(await page.locator('.card').first().textContent()).toMatch(/%.*% – .*%/);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('draws no rate of fewer than fifty people', async () => {
    const page = await open(`${appPath}/funnels?environment=development`);
    await page
      .getByText(/of 50 people/)
      .or(page.getByText('Nobody has entered'))
      .first()
      .waitFor();
    expect(await page.locator('.steps').count()).toBe(0);
  });

  test('is deleted by whoever types its name', async () => {
    const page = await open(`${appPath}/funnels`);
    await page.getByLabel('Funnel').selectOption('Paying');
    await page.getByRole('heading', { name: 'Funnel · Paying' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Delete the funnel' }).click();
    await page.getByLabel('Type "Paying"').fill('Paying');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the funnel' }).click();
    await page.getByRole('heading', { name: 'Funnel · Onboarding' }).waitFor();
  });
});

describe.skipIf(!demo)('a view', () => {
  test('is pinned to Today, opens from there as it was, and is unpinned', async () => {
    const page = await open(`${appPath}/trends?event=paywall_viewed`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Save on Today' }).click();
    await page.getByRole('button', { name: 'Saved view' }).waitFor();
    await open(`${appPath}/today`);
    await page.getByRole('heading', { name: 'paywall_viewed' }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open paywall_viewed' }).click();
    await page.waitForURL('**/trends?event=paywall_viewed');
    await page.getByRole('button', { name: 'Saved view' }).click();
    await page.getByRole('button', { name: 'Remove from Today' }).click();
    await page.getByRole('button', { name: 'Save view' }).waitFor();
  });

  test('has marks, to which a note can be added and taken away', async () => {
    const page = await open(`${appPath}/trends`);
    await page.locator('.plot').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('What happened').fill('We were on the radio');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByRole('button', { name: 'adds a note' }).click();
    const note = page.getByRole('listitem').filter({ hasText: 'We were on the radio' });
    await note.waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await note.getByRole('button', { name: 'Remove' }).click();
    await note.waitFor({ state: 'detached' });
  });

  test('is reached by keyboard alone', async () => {
    const page = await open(`${appPath}/today`);
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Retention' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('stands in the documentation that it links', async () => {
    const page = await open(`${appPath}/funnels`);
    expect(
      await page.getByRole('link', { name: 'Documentation', exact: true }).getAttribute('href'),
    ).toBe('/help/funnels');
    await demo?.visitor.go('/help/funnels');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(demo?.visitor.faults).toEqual([]);
  });
});
