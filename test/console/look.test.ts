import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'bun:test';
import { launchChromium } from '../support/clients/chromium.ts';
import { type ConsolePage, CONSOLE_PAGES } from '../../src/shared/console-pages.ts';
import { visitDemo } from '../support/console/demo.ts';
import {
  type Part,
  PARTS_OF_HOME,
  PARTS_OF_TODAY,
  SCHEMES,
  styleOf,
} from '../support/console/tokens.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';

const PEOPLE = 360;
/** Wide enough for every act of a head. */
const WIDE = { width: 1440, height: 900 };
/** Of what a page moves by itself, in the measure of browsers. */
const MOST_SHIFT = 0.05;
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

/** What is computed of each part of the page. */
async function stylesOf(page: Page, parts: readonly Part[]): Promise<Record<string, unknown>> {
  for (const { selector } of parts) {
    await page.locator(selector).first().waitFor({ state: 'attached' });
  }
  return page.evaluate(`Object.fromEntries(${JSON.stringify(parts)}.map((part) => {
    const style = getComputedStyle(document.querySelector(part.selector), part.pseudo);
    return [part.name, Object.fromEntries(
      Object.keys(part.style).map((name) => [name, style.getPropertyValue(name)]),
    )];
  }))`);
}

describe.skipIf(!demo)('named parts', () => {
  test.each(SCHEMES)('have the values of the tokens, %s', async (scheme) => {
    let named = 0;
    for (const [path, parts] of [
      ['/', PARTS_OF_HOME],
      [`${appPath}/today`, PARTS_OF_TODAY],
    ] as const) {
      const page = await open(path);
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: scheme });
      const wanted = parts.map((part) => [part.name, styleOf(part, scheme)]);
      expect(await stylesOf(page, parts)).toEqual(Object.fromEntries(wanted));
      named += parts.length;
    }
    expect(named).toBeGreaterThanOrEqual(20);
  });
});

/** The address of a page, with an experiment and a person of the demo. */
async function pathOf({ path }: ConsolePage): Promise<string> {
  const first = async (list: string) => {
    const page = await open(`${appPath}/${list}`);
    const link = page.locator(`main a[href*="/${list}/"]`).first();
    await link.waitFor();
    return (await link.getAttribute('href')) ?? '';
  };
  if (path.endsWith('/:experimentId')) return first('experiments');
  if (path.endsWith('/:personId')) return first('people');
  return path.replace('/apps/:id', appPath);
}

describe.skipIf(!demo)('the page', () => {
  test.each(CONSOLE_PAGES.map((page) => [page.name, page] as const))(
    '%s stands still while it comes, and is accessible on every screen',
    async (_, described) => {
      if (!demo) return;
      const path = await pathOf(described);
      const page = await demo.visitor.context.newPage();
      await page.setViewportSize(WIDE);
      await page.addInitScript(`
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
      `);
      const { origin } = new URL(demo.visitor.page.url());
      await page.goto(`${origin}${path}`);
      await page.locator('main:has(h1):not(:has([aria-busy="true"]))').waitFor();
      await page.waitForLoadState('networkidle');
      const shift: number = await page.evaluate('shift');
      expect(shift).toBeLessThan(MOST_SHIFT);
      expect(await faultsOnEveryScreen(page)).toEqual([]);
      await page.close();
    },
  );
});

describe.skipIf(!demo)('a funnel', () => {
  /** Chooses the event of a step from the names that the app sends, or one that it does not. */
  async function chooseEvent(page: Page, step: number, option: string | RegExp) {
    await page.getByRole('button', { name: new RegExp(`^Event of step ${step}:`) }).click();
    await page.getByRole('option', { name: 'purchase_completed' }).waitFor();
    if (typeof option === 'string') await page.getByPlaceholder('Search').fill(option);
    const name = typeof option === 'string' ? `Use “${option}”` : option;
    await page.getByRole('option', { name }).click();
  }

  test('is made of names that the app sends, with a hint on one that it does not', async () => {
    const page = await open(`${appPath}/funnels`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'New funnel' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Paying');
    await chooseEvent(page, 1, /^app_opened/);
    await chooseEvent(page, 2, 'paywall_viewd');
    await page.getByRole('button', { name: 'Add a step' }).click();
    await chooseEvent(page, 3, /^purchase_completed/);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the funnel' }).click();
    await page.getByRole('button', { name: /^Funnel: Paying/ }).waitFor();
    await page.locator('.notice', { hasText: 'paywall_viewed' }).first().waitFor();

    await page.setViewportSize(WIDE);
    await page.getByRole('button', { name: 'Edit steps' }).click();
    await chooseEvent(page, 2, /^paywall_viewed/);
    await page.getByRole('button', { name: 'Save the funnel' }).click();
    await page.locator('.step-title', { hasText: 'paywall_viewed' }).waitFor();
    expect(await page.locator('.step-title').count()).toBe(3);
  });

  test('is broken down and compared, and shows what chance alone could do', async () => {
    const page = await open(`${appPath}/funnels?breakdown=platform&compare=previous`);
    await page.getByRole('heading', { name: /^Against / }).waitFor();
    await page.getByRole('row', { name: /^iOS/ }).waitFor();
    expect(await page.locator('.funnel-answer').textContent()).toMatch(/%.*\d–\d/);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('leads from a column to its people, by the address too', async () => {
    const page = await open(`${appPath}/funnels?breakdown=none`);
    await page.getByRole('button', { name: /people stopped before Purchase completed$/ }).click();
    await page.waitForURL('**/funnels?breakdown=none&step=4');
    const stopped = page.getByRole('link', { name: /\d people$/ });
    const count = Number.parseInt((await stopped.textContent()) ?? '', 10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `All ${count}: save as CSV` }).click();
    const lines = (await Bun.file(await (await download).path()).text()).trim().split('\r\n');
    expect(lines.length).toBe(count + 1);
    await page.reload();
    await page.getByRole('heading', { name: 'Who stopped at the paywall' }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('button', { name: 'First page' }).waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
  });

  test('draws no rate of fewer than fifty people', async () => {
    const page = await open(`${appPath}/funnels?environment=development`);
    await page
      .getByText(/of 50 people/)
      .or(page.getByText('Nobody has entered'))
      .first()
      .waitFor();
    expect(await page.locator('.funnel-rows.outline').count()).toBe(1);
    expect(await page.locator('.funnel-columns').count()).toBe(0);
  });

  test('is deleted by whoever types its name', async () => {
    const page = await open(`${appPath}/funnels`);
    await page.setViewportSize(WIDE);
    await page.getByRole('button', { name: /^Funnel: / }).click();
    await page.getByRole('menuitemradio', { name: /^Paying/ }).click();
    await page.getByRole('button', { name: /^Funnel: Paying/ }).waitFor();
    await page.getByRole('button', { name: 'Edit steps' }).click();
    await page.getByRole('button', { name: 'Delete the funnel' }).click();
    await page.getByLabel('Type "Paying"').fill('Paying');
    const asked = page.getByRole('dialog', { name: 'Delete Paying' });
    await asked.getByRole('button', { name: 'Delete the funnel' }).click();
    await page.getByRole('button', { name: /^Funnel: Onboarding/ }).waitFor();
  });
});

describe.skipIf(!demo)('a view', () => {
  test('is pinned to Today as a saved question, opens from there as it was, and is unpinned', async () => {
    const page = await open(`${appPath}/trends?event=paywall_viewed`);
    await page.setViewportSize(WIDE);
    page.setDefaultTimeout(30_000);
    const form = page.locator('[popover]:popover-open');
    const save = async (act: string, choose: (choices: typeof form) => Promise<void>) => {
      await page.getByRole('button', { name: act, exact: true }).click();
      await choose(form);
      await form.getByRole('button', { name: act, exact: true }).click();
      await form.waitFor({ state: 'hidden' });
    };
    const onToday = 'Show it on Today too';
    await save('Save', (choices) => choices.getByLabel(onToday).check());
    await page.getByRole('button', { name: 'Update', exact: true }).waitFor();
    await save('Update', (choices) => choices.getByLabel(onToday).uncheck());
    await save('Update', async (choices) => {
      await choices.getByLabel('Name').fill('Paywalls');
      await choices.getByLabel(onToday).check();
    });
    // No question says the ratio.
    await open(`${appPath}/trends?chart=ratio`);
    await page.setViewportSize(WIDE);
    await save('Save', () => Promise.resolve());
    await open(`${appPath}/retention`);
    await page.setViewportSize(WIDE);
    await save('Save', (choices) => choices.getByLabel(onToday).check());
    await open(`${appPath}/today`);
    await page.getByRole('heading', { name: 'Paywalls' }).waitFor();
    await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.setViewportSize(WIDE);
    const settings = await page.request.get(new URL(`/v1${appPath}/settings`, page.url()).href);
    const { pinnedViews } = await settings.json();
    expect(
      pinnedViews.slice(-3).map((pin: any) => `${pin.page}?${pin.query.split('=')[0]}`),
    ).toEqual([...['trends?saved', 'trends?chart', 'retention?saved']]);
    await page.getByRole('link', { name: 'Open Paywalls' }).click();
    await page.waitForURL('**/trends?**event=paywall_viewed**');
    await page.getByRole('region', { name: 'What is asked' }).getByText('paywall_viewed').waitFor();
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
