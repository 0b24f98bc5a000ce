import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { startDemo } from '../../scripts/screenshots/demo.ts';
import { APP_PAGES, type Shown } from '../../scripts/screenshots/pages.ts';
import { firstLink, signIn } from '../../scripts/screenshots/walk.ts';

const LIMIT_MS = 300;
const ROUNDS = 5;
/** No page of the console: what the browser and the server take by themselves. */
const EMPTY = { name: 'empty page', path: '/docs/start.js' };

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** From the question to a page whose figures have all come. */
async function usefulAfterMs(page: Page, url: string, isEmpty: boolean): Promise<number> {
  const beganAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  const useful = isEmpty ? 'pre, body' : 'main:has(h1):not(:has([aria-busy="true"]))';
  await page.locator(useful).first().waitFor();
  return performance.now() - beganAt;
}

/** Each page of the console with the demo's data, beside an empty page of the same server. */
export default async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-console-'));
  const demo = await startDemo(dataDir);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    await signIn(page, demo.login);
    const app = (await firstLink(page, demo.login.url, '/', '/apps/')) ?? '';
    const base = app.split('/').slice(0, 3).join('/');
    const pages: Shown[] = [EMPTY, ...APP_PAGES];
    const times = new Map<string, number[]>(pages.map(({ name }) => [name, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { name, path } of pages) {
        const url = demo.login.url + path.replace(':app', base);
        const ms = await usefulAfterMs(page, url, name === EMPTY.name);
        // The first round fills caches of the browser and compiles routes.
        if (round > 0) times.get(name)?.push(ms);
      }
    }
    const empty = median(times.get(EMPTY.name) ?? []) ?? 0;
    for (const [name, values] of times) {
      const ms = median(values) ?? 0;
      const beside = `${(ms / LIMIT_MS).toFixed(2)} × the limit of ${LIMIT_MS} ms`;
      console.log(
        `${name.padEnd(20)} ${ms.toFixed(0).padStart(5)} ms  ${beside}, ${(ms - empty).toFixed(0)} ms over an empty page`,
      );
    }
  } finally {
    await browser.close();
    await demo.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
