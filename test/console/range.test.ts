import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const PEOPLE = 120;
const WIDE = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
afterAll(() => browser?.close());
beforeEach(async () => {
  await demo?.visitor.page.setViewportSize(WIDE);
  await demo?.visitor.go('/');
});

function shown() {
  const page = demo!.visitor.page;
  const panel = page.getByRole('dialog', { name: 'Range' });
  return {
    page,
    panel,
    button: page.getByRole('button', { name: /^Range/ }),
    preset: (name: string) => panel.getByRole('button', { name, exact: true }),
  };
}

const parameters = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe.skipIf(!demo)('the range', () => {
  test('is chosen by keyboard, stands in the address, and goes along to other pages', async () => {
    const { page, panel, button, preset } = shown();
    await button.press('Enter');
    await preset('Last 28 days').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'hidden' });
    expect(parameters(page.url())).toEqual({ days: '7' });
    await button.and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'Sales' }).first().click();
    await page.waitForURL('**/sales?days=7');
    await page.goBack();
    await page.goBack();
    expect(parameters(page.url())).toEqual({});
  });

  test('is two days of the calendar, also for fast fingers', async () => {
    const { page, panel, button } = shown();
    await button.click();
    await panel.locator('[role="grid"] button[tabindex="0"]').focus();
    // None of them waits for what the one before has drawn.
    for (const key of [
      'ArrowUp',
      'Enter',
      'ArrowDown',
      'Enter',
      'ArrowUp',
      'Enter',
      'ArrowRight',
    ]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press('Enter');
    await panel.getByText(/^\d+ days?, /).waitFor();
    await panel.getByRole('button', { name: 'Show' }).click();
    await panel.waitFor({ state: 'hidden' });
    const { from = '', to = '' } = parameters(page.url());
    expect([from, to].every((day) => /^\d{4}-\d\d-\d\d$/.test(day)) && from <= to).toBe(true);
  });

  test('is walked by weeks and months, no further than today', async () => {
    const { page, panel, button } = shown();
    await button.click();
    const focused = () =>
      panel.locator('button[data-day]:focus').getAttribute('data-day', { timeout: 5_000 });
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return (await focused()) ?? '';
    };
    await panel.locator('[role="grid"] button[tabindex="0"]').focus();
    const start = (await focused()) ?? '';
    const monthBefore = await press('PageUp');
    expect(monthBefore < start).toBe(true);
    const yearBefore = await press('Shift+PageUp');
    expect(Number(monthBefore.slice(0, 4)) - Number(yearBefore.slice(0, 4))).toBe(1);
    await panel.getByRole('grid').first().waitFor();
    const monday = await press('Home');
    expect(new Date(monday).getUTCDay()).toBe(1);
    expect(new Date(await press('End')).getUTCDay()).toBe(0);
    await press('Shift+PageDown');
    await press('Shift+PageDown');
    const latest = await press('PageDown');
    expect(await panel.locator(`button[data-day="${latest}"]`).getAttribute('aria-current')).toBe(
      'date',
    );
    expect(await press('ArrowRight')).toBe(latest);
    expect(await panel.getByRole('button', { name: 'Month after' }).count()).toBe(0);
  });

  test('is left as it was by Cancel, by Escape and by going on', async () => {
    const { page, panel, button } = shown();
    for (const leave of [
      () => panel.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.getByRole('link', { name: 'Home' }).focus(),
    ]) {
      await button.click();
      await panel.getByRole('grid').first().waitFor();
      await leave();
      await panel.waitFor({ state: 'hidden' });
    }
    expect(parameters(page.url())).toEqual({});
  });

  test('has one month on a phone, behind the presets', async () => {
    const { page, panel, button, preset } = shown();
    await page.setViewportSize(PHONE);
    await button.click();
    await preset('Custom').click();
    await panel.getByRole('grid').first().waitFor();
    expect(await panel.getByRole('grid').count()).toBe(1);
    expect(await preset('Last 7 days').count()).toBe(0);
  });

  test('is sound on every screen', async () => {
    const { page, panel, button } = shown();
    await button.click();
    await panel.getByRole('grid').first().waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    expect(demo?.visitor.faults).toEqual([]);
  });
});
