import { afterAll, describe, expect, test } from 'bun:test';
import type { Download, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { visitDemo } from '../support/console/demo.ts';
import { APP_PAGES, ORGANIZATION_PAGES } from '../support/console/pages.ts';

const PEOPLE = 360;
const WIDE = { width: 1440, height: 900 };
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

/** What is known of each day, of which there is no figure. */
const CALENDAR = 'Days of the last year';
/** Lists of what is set up hold no figures. */
const SET_UP = [
  'Members',
  'Open invitations',
  'Keys',
  'Publishable keys',
  'Webhooks',
  'Destinations',
  'Notifications',
  'Changes',
  'Saved questions',
  'Named entitlements',
];

/** What saves a table: a button of its card, or else an entry of the page's Export. */
async function saverOf(page: Page, table: Locator, caption: string): Promise<Locator | null> {
  const card = table.locator('xpath=ancestor::section[1]');
  const own = card.getByRole('button', { name: /^(CSV: |All [\d,]+: save as CSV$)/ });
  if ((await own.count()) > 0) return own.first();
  const more = page.getByRole('button', { name: 'Export', exact: true });
  if ((await more.count()) === 0) return null;
  await more.click();
  await page.getByRole('menuitem').first().waitFor();
  for (const entry of await page.getByRole('menuitem', { name: /CSV$/ }).all()) {
    const label = (await entry.locator('.menu-label').textContent()) ?? '';
    if (caption.startsWith(label)) return entry;
  }
  await page.keyboard.press('Escape');
  return null;
}

/** The heads of the columns that hold a figure: one of links alone has none. */
async function headsOfFigures(table: Locator): Promise<string[]> {
  const figures: string[] = [];
  for (const [index, head] of (await table.locator('thead th').all()).entries()) {
    const isNumber = (await head.getAttribute('class'))?.split(' ').includes('number');
    if (!isNumber) continue;
    const cells = await table.locator(`tbody td:nth-child(${index + 1})`).allTextContents();
    if (cells.some((text) => /\d/.test(text))) figures.push((await head.textContent()) ?? '');
  }
  return figures;
}

/** What is wrong with the file of a table. */
async function faultsOfCsv(page: Page, path: string, table: Locator): Promise<string[]> {
  const caption = (await table.locator('caption').textContent()) ?? '';
  const name = `${path}: ${caption}`;
  const rows = await table.locator('tbody tr').count();
  if (rows === 0 || SET_UP.includes(caption)) return [];
  const heads = await headsOfFigures(table);
  const saver = await saverOf(page, table, caption);
  if (!saver) return [`${name}: no CSV`];
  const text = await Bun.file(await (await saved(page, saver)).path()).text();
  const [header = ''] = text.split('\r\n');
  const lost = heads.filter((label) => !header.includes(label.replace('→ ', '')));
  return [
    ...lost.map((label) => `${name}: without ${label}`),
    ...(text.split('\r\n').length - 2 < rows ? [`${name}: ${rows} rows, not all saved`] : []),
  ];
}

/** What is wrong with the two files of a chart, which stand with the table behind it. */
async function faultsOfChart(page: Page, path: string, title: string): Promise<string[]> {
  const chart = page.getByRole('figure', { name: title, exact: true }).first();
  const table = chart.getByRole('button', { name: `${title} as a table` });
  if ((await table.count()) === 0) return [`${path}: ${title}: no table behind`];
  await table.click();
  const behind = page.getByRole('dialog', { name: title, exact: true });
  await behind.locator('tbody tr').first().waitFor();
  const rows = await behind.locator('tbody tr').count();
  const csv = await saved(page, behind.getByRole('button', { name: 'CSV' }));
  const lines = (await Bun.file(await csv.path()).text()).trim().split('\r\n');
  const file = await saved(page, behind.getByRole('button', { name: 'PNG' }));
  const [width, height, colours] = await lookAt(page, await Bun.file(await file.path()).bytes());
  await page.keyboard.press('Escape');
  const name = `${path}: ${title}`;
  return [
    ...(lines.length === rows + 1 ? [] : [`${name}: ${rows} rows, ${lines.length} lines saved`]),
    // A ground, axes, a title and a line, with their soft edges.
    ...(width < 300 || height < 250 || colours < 20
      ? [`${name}: ${width} × ${height}, ${colours} colours`]
      : []),
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
  test('as CSV with every figure of every table, as CSV and PNG of every chart', async () => {
    const faults: string[] = [];
    let tables = 0;
    let pictures = 0;
    for (const path of await allPaths()) {
      const page = await open(path);
      await page.setViewportSize(WIDE);
      await unfold(page);
      for (const table of await page.locator('main table.table:visible').all()) {
        faults.push(...(await faultsOfCsv(page, path, table)));
        tables += 1;
      }
      const titles = await page
        .locator('main figure.chart')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
      for (const title of titles.filter((one) => one !== CALENDAR)) {
        // Chromium saves ten files of one visit.
        await unfold(await open(path));
        faults.push(...(await faultsOfChart(page, path, title)));
        pictures += 1;
      }
    }
    expect(faults).toEqual([]);
    expect(tables).toBeGreaterThan(20);
    expect(pictures).toBeGreaterThan(15);
  });
});
