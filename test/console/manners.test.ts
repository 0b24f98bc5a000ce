import { afterAll, describe, expect, test } from 'bun:test';
import type { Download, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { APP_PAGES, ORGANIZATION_PAGES } from '../support/console/pages.ts';
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

/** The addresses of all pages, those of one experiment and one person too. */
async function allPaths(): Promise<string[]> {
  const first = async (list: string, begin: string) => {
    const page = await open(`${appPath}/${list}`);
    return page.locator(`main a[href*="${begin}"]`).first().getAttribute('href');
  };
  const things = [await first('experiments', '/experiments/'), await first('people', '/people/')];
  const ofApp = [...APP_PAGES, 'trends?breakdown=platform', 'funnels?breakdown=platform'];
  return [
    ...ORGANIZATION_PAGES,
    ...ofApp.map((name) => `${appPath}/${name}`),
    ...things.flatMap((path) => path ?? []),
  ];
}

async function saved(page: Page, button: Locator): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

/** Everything that is folded away is opened, so that nothing is left out. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    "for (const folded of document.querySelectorAll('main details')) folded.open = true",
  );
}

/** What is wrong with the file of a table. */
async function faultsOfCsv(page: Page, path: string, table: Locator): Promise<string[]> {
  const caption = (await table.locator('caption').textContent()) ?? '';
  const name = `${path}: ${caption}`;
  const rows = await table.locator('tbody tr').count();
  if (rows === 0) return [];
  const button = table.locator('xpath=following-sibling::button[1]');
  if ((await button.count()) === 0) return [`${name}: no CSV`];
  const text = await Bun.file(await (await saved(page, button)).path()).text();
  const [header = ''] = text.split('\r\n');
  const numbers = await table.locator('thead th.number').allTextContents();
  const lost = numbers.filter((label) => !header.includes(label));
  return [
    ...lost.map((label) => `${name}: without ${label}`),
    ...(text.split('\r\n').length - 2 < rows ? [`${name}: ${rows} rows, not all saved`] : []),
  ];
}

/** Width, height and number of colours of a picture. */
function lookAt(page: Page, bytes: Uint8Array): Promise<[number, number, number]> {
  const base64 = Buffer.from(bytes).toString('base64');
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    return [picture.width, picture.height, new Set(new Uint32Array(data.buffer)).size];
  })()`);
}

describe.skipIf(!demo)('what a page shows is saved', () => {
  test('as CSV with every figure of every table, as PNG of every series', async () => {
    const faults: string[] = [];
    let tables = 0;
    let pictures = 0;
    for (const path of await allPaths()) {
      const page = await open(path);
      await unfold(page);
      for (const table of await page.locator('main table.table:visible').all()) {
        faults.push(...(await faultsOfCsv(page, path, table)));
        tables += 1;
      }
      // Chromium saves ten files of one visit.
      await open(path);
      for (const chart of await page.locator('figure.chart').all()) {
        const file = await saved(page, chart.getByRole('button', { name: /^PNG/ }));
        const bytes = await Bun.file(await file.path()).bytes();
        const [width, height, colours] = await lookAt(page, bytes);
        // A ground, axes, a title and a line, with their soft edges.
        if (width < 300 || height < 250 || colours < 20) {
          faults.push(`${path}: ${file.suggestedFilename()}: ${width} × ${height}, ${colours}`);
        }
        pictures += 1;
      }
    }
    expect(faults).toEqual([]);
    expect(tables).toBeGreaterThan(20);
    expect(pictures).toBeGreaterThan(4);
  });
});

describe.skipIf(!demo)('while the service is away', () => {
  test('the last figures stay, dimmed, with the time they are of, and come back by a click', async () => {
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
    expect(await page.locator('.stale td').count()).toBeGreaterThan(0);
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.unroute('**/v1/**');
    for (const button of await page.getByRole('button', { name: 'Try again' }).all()) {
      // One that has polled meanwhile is gone.
      await button.click({ timeout: 1_000 }).catch(() => undefined);
    }
    await page.locator('main:not(:has(.stale))').waitFor();
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
      [`${appPath}/subscribers`, ['Products', 'Countries', 'Days']],
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

describe.skipIf(!demo)('somebody whose session ends', () => {
  test('is told so, and goes on where they were', async () => {
    const page = await open(`${appPath}/trends?days=90`);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Range/ }).click();
    await page.getByRole('button', { name: 'Last 7 days', exact: true }).click();
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
    const said = page.locator('.facts > div', { hasText: 'Last backup' }).locator('dd');
    const text = await said.textContent();
    expect(await faultsOnEveryScreen(page)).toEqual([]);
    await page.unroute('**/v1/status');
    return text;
  };
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 7, hour)).toISOString();
  const daily = { scheduled: true, everyHours: 24 };

  test('says when the last backup was made and verified, and whether another one comes', async () => {
    const page = await open('/status');
    await page.getByText('None is made by itself').waitFor();
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
