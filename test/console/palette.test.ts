import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const PEOPLE = 120;
const WIDE = { width: 1200, height: 900 };
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
afterAll(() => browser?.close());
beforeEach(async () => {
  await demo?.visitor.page.setViewportSize(WIDE);
  await demo?.visitor.go('/');
});

const [focusTimer, plantDiary] = (demo?.apps ?? []).map(({ appId }) => appId);

/** The page, and what is in the palette above it. */
function shown() {
  const page = demo!.visitor.page;
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  return {
    page,
    palette,
    input: palette.getByRole('combobox'),
    option: (name: string | RegExp) => palette.getByRole('option', { name }),
    group: (name: string) => palette.getByRole('group', { name }),
  };
}

describe.skipIf(!demo)('the palette', () => {
  test('leads from Home to a page of any app, and remembers it', async () => {
    const { page, palette, input, option, group } = shown();
    await page.keyboard.press('Control+k');
    await input.pressSequentially('plant ret');
    await option(/Retention.*Plant Diary/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/apps/${plantDiary}/retention`);
    await page.keyboard.press('Control+k');
    await group('Recent').getByText('Retention').waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
  });

  test('has the funnels of every app, and acts', async () => {
    const { page, input, option } = shown();
    await page.getByRole('button', { name: /^Search or jump to/ }).click();
    await input.pressSequentially('fun');
    await option(/Onboarding.*Focus Timer\u2069 · 4 steps/).waitFor();
    await option(/Onboarding.*Plant Diary\u2069 · 4 steps/).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize(WIDE);
    await option('New funnel').click();
    await page.getByRole('heading', { name: 'New funnel' }).waitFor();
  });

  test('finds a person and a purchase among all apps', async () => {
    const { page, palette, input, group } = shown();
    const customers = `/v1/apps/${focusTimer}/purchases/customers`;
    const listed = await page.request.get(new URL(customers, page.url()).href);
    const [{ customerId, originalTransactionId }] = (
      (await listed.json()) as {
        customers: { customerId: string; originalTransactionId: string }[];
      }
    ).customers as [{ customerId: string; originalTransactionId: string }];
    await page.keyboard.press('/');
    await input.fill(originalTransactionId);
    await group('Orders and transactions').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(
      `**/apps/${focusTimer}/people/by-id?${new URLSearchParams({ id: customerId })}`,
    );
    await palette.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await input.fill('user-');
    await group('People').waitFor();
    await input.fill('nobody-0123456');
    await palette.getByText('Nobody and no purchase fits').waitFor();
  });

  test('breaks no rule of the content security policy', () => {
    expect(demo?.visitor.faults).toEqual([]);
  });
});
