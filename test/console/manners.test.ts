import { afterAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { faultsOnEveryScreen } from '../support/console/visit.ts';
import { until } from '../support/until.ts';

const PEOPLE = 360;
const MAX_A_MINUTE = 60;
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
const appPath = `/apps/${demo?.apps[0]?.appId}`;
afterAll(() => browser?.close());

const DRAWN = 'main:not(:has([aria-busy="true"]))';

async function open(path: string): Promise<Page> {
  if (!demo) throw new Error('There is no Chromium here.');
  const { page, go } = demo.visitor;
  await go(path);
  await page.locator(DRAWN).waitFor();
  return page;
}

describe.skipIf(!demo)('while the service is away', () => {
  test('the last figures stay, with the time they are of, and come back by a click', async () => {
    const page = await open(`${appPath}/live`);
    await page.route('**/v1/**', (route) => route.abort());
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('alert').first().textContent()).toContain(
      'The service cannot be reached.',
    );
    await page
      .getByText(/^What is shown is of /)
      .first()
      .waitFor();
    expect(await page.locator('main td').count()).toBeGreaterThan(0);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.unroute('**/v1/**');
    for (const button of await page.getByRole('button', { name: 'Try again' }).all()) {
      // One that has polled meanwhile is gone.
      await button.click({ timeout: 1_000 }).catch(() => undefined);
    }
    await page.getByText(/^What is shown is of /).waitFor({ state: 'detached' });
    await page.locator('main:not(:has([role="alert"]))').waitFor();
  });

  test('a refusal is shown with its hint and the id of the request', async () => {
    const page = await open(`${appPath}/today`);
    await page.route('**/insights?*', (route) =>
      route.fulfill({
        status: 409,
        headers: { 'x-request-id': 'req-of-the-test' },
        json: {
          error: {
            code: 'conflict',
            message: 'Something else is under way.',
            hint: 'Wait for it.',
          },
        },
      }),
    );
    await page.reload();
    const notice = page.getByRole('alert').first();
    await notice.getByText('req-of-the-test').waitFor();
    expect(await notice.textContent()).toContain('Wait for it.');
    await page.unroute('**/insights?*');
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.locator('main:not(:has([role="alert"]))').waitFor();
  });
});

describe.skipIf(!demo)('the keyboard', () => {
  test('is in the search for a person after `/`', async () => {
    const page = await open(`${appPath}/live`);
    const search = page.getByRole('dialog').getByRole('combobox');
    for (const time of ['first', 'second']) {
      await page.keyboard.press('/');
      await page.getByRole('dialog').locator('input:focus').waitFor();
      await page.keyboard.type('user-');
      expect([time, await search.inputValue()]).toEqual([time, 'user-']);
      await page.keyboard.press('Escape');
      await search.waitFor({ state: 'detached' });
    }
  });

  test('reaches the chosen one of several tabs, and goes to the others by arrows', async () => {
    for (const [path, names] of [
      ['/sales', ['Apps', 'Countries', 'Products', 'Devices']],
      [`${appPath}/connect`, ['Web', 'Expo', 'Swift', 'curl']],
    ] as const) {
      const page = await open(path);
      const tabs = page.getByRole('tab');
      const chosen = () => page.locator('[role="tab"]:focus[aria-selected="true"]').textContent();
      expect(await tabs.allTextContents()).toEqual([...names]);
      await tabs.first().focus();
      const seen: (string | null)[] = [];
      for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key);
        seen.push(await chosen());
      }
      const [first, second, last] = [names[0], names[1], names.at(-1) ?? ''];
      expect(seen).toEqual([second, last, first, last, first]);
      // One of them only is on the way of the tabulator, and what it shows is named by it.
      expect(await page.locator('[role="tab"][tabindex="0"]').allTextContents()).toEqual([first]);
      await page.getByRole('tabpanel', { name: first }).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.locator('[role="tab"]:focus').count()).toBe(0);
    }
  });
});

describe.skipIf(!demo)('a choice of few', () => {
  test('is reached at the chosen one, and goes to the others by arrows', async () => {
    const page = await open(`${appPath}/subscribers`);
    const group = page.getByRole('group', { name: 'Broken down by' });
    await group.getByRole('radio', { name: 'Products' }).focus();
    const seen: (string | null)[] = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) {
      await page.keyboard.press(key);
      const chosen = group.locator('input:focus:checked');
      seen.push(await chosen.locator('xpath=ancestor::label').textContent());
    }
    expect(seen).toEqual(['Countries', 'Who left', 'Products', 'Who left']);
    expect(new URL(page.url()).searchParams.has('by')).toBe(true);
  });
});

describe.skipIf(!demo)('somebody whose session ends', () => {
  test('is told so, and goes on where they were', async () => {
    const page = await open(`${appPath}/trends?days=90`);
    const cookies = await page.context().cookies();
    await page.getByRole('button', { name: /^Range/ }).click();
    const week = page.getByRole('button', { name: 'Last 7 days', exact: true });
    await week.waitFor();
    await page.context().clearCookies();
    await week.click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.getByLabel('E-mail address').fill(demo?.owner.email ?? '');
    await page.getByLabel('Password').fill(demo?.owner.password ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Trends' }).waitFor();
    await page.locator(DRAWN).waitFor();
    expect(new URL(page.url()).search).toBe('?days=7');
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
    expect(cookies.length).toBeGreaterThan(0);
  });
});

describe.skipIf(!demo)('the page Status', () => {
  const answered = async (backups: object | null) => {
    const page = await open('/account');
    await page.route('**/v1/status', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), backups } });
    });
    await open('/status');
    const said = page.locator('.facts > div:has(dt:text-is("Backup")) dd');
    const text = await said.textContent();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.unroute('**/v1/status');
    return text;
  };
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 7, hour)).toISOString();
  const daily = { scheduled: true, everyHours: 24 };

  test('says when the last backup was made and verified, and whether another one comes', async () => {
    const page = await open('/status');
    await page.getByText('Until then a lost disk is lost data.').waitFor();
    await page.getByRole('link', { name: 'How to back up' }).waitFor();
    const none = { lastVerifiedAt: null, lastAttemptAt: null, lastAttempt: null };
    expect(await answered({ ...daily, ...none })).toBe('The first one is being made.');
    const good = { lastVerifiedAt: at(4), lastAttemptAt: at(4), lastAttempt: 'good' };
    expect(await answered({ ...daily, ...good })).toMatch(
      /^Mar \d, 2026, .*, verified\. Another one comes every 24 hours\.$/,
    );
    expect(
      await answered({ ...daily, ...good, lastAttemptAt: at(5), lastAttempt: 'failed' }),
    ).toMatch(/, verified\. The last attempt \(.*\) failed; the log of the worker says why\./);
    expect(
      await answered({ ...daily, ...none, lastAttemptAt: at(5), lastAttempt: 'failed' }),
    ).toMatch(/^None has been finished yet\. The last attempt/);
    expect(await answered(null)).toBe('The database does not say.');
  });
});

describe.skipIf(!demo)('all tabs of one person', () => {
  test(`ask at most ${MAX_A_MINUTE} times a minute, and go on asking`, async () => {
    if (!demo) return;
    const { context } = demo.visitor;
    const { origin } = new URL(demo.visitor.page.url());
    // It would poll for the others.
    await demo.visitor.page.goto('about:blank');
    await context.clock.install();
    let asked = 0;
    const underWay = new Set<unknown>();
    const tabs: Page[] = [];
    for (const path of [`${appPath}/connect`, '/logs?follow=on', `${appPath}/live`]) {
      const page = await context.newPage();
      page.on('request', (request) => {
        if (!request.url().includes('/v1/')) return;
        asked += 1;
        underWay.add(request);
      });
      page.on('requestfinished', (request) => underWay.delete(request));
      page.on('requestfailed', (request) => underWay.delete(request));
      await page.goto(`${origin}${path}`);
      await page.locator(DRAWN).waitFor();
      tabs.push(page);
    }
    // From here on time goes on only where it is told to, in all tabs.
    await context.clock.pauseAt(Date.now() + 5_000);
    asked = 0;
    for (let second = 0; second < 60; second += 1) {
      await context.clock.runFor(1_000);
      // An answer that is on its way keeps its question from being asked again.
      await until('the answers of a second', () => underWay.size === 0 || undefined);
    }
    expect(asked).toBeLessThanOrEqual(MAX_A_MINUTE);
    expect(asked).toBeGreaterThan(10);
    for (const page of tabs) await page.close();
  });
});
