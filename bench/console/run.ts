import type { Page } from 'playwright-core';
import { type Browsed, browseDemo } from '../../scripts/screenshots/browse.ts';
import { APP_PAGES, type Shown } from '../../scripts/screenshots/pages.ts';

const LIMIT_MS = 300;
const ROUNDS = 5;
/** No page of the console: what the browser and the server take by themselves. */
const EMPTY = { name: 'empty page', path: '/docs/start.js' };
/** A page is of use with its first figures; what has none, with all that it says. */
const FIRST = 'main .figure:not(:has-text("…")), main td, main form, main .steps, main .empty';
const ALL = 'main:has(h1):not(:has([aria-busy="true"]))';

type Times = { useful: number; whole: number };
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** From the question to the first figures, and to all of them. */
async function open(page: Page, url: string, isEmpty: boolean): Promise<Times> {
  const beganAt = performance.now();
  const there = async (selector: string) => {
    await page.locator(selector).first().waitFor();
    return performance.now() - beganAt;
  };
  await page.goto(url, { waitUntil: 'commit' });
  if (isEmpty) {
    const ms = await there('pre, body');
    return { useful: ms, whole: ms };
  }
  const [useful, whole] = await Promise.all([
    there(FIRST).catch(() => Number.POSITIVE_INFINITY),
    there(ALL),
  ]);
  return { useful: Math.min(useful, whole), whole };
}

async function measure({ page, login, pathOf }: Browsed): Promise<void> {
  const pages: Shown[] = [EMPTY, ...APP_PAGES.filter(({ name }) => name !== 'help')];
  const times = new Map<string, Times[]>(pages.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, path } of pages) {
      const opened = await open(page, login.url + pathOf(path), name === EMPTY.name);
      // The first round fills caches of the browser and compiles routes.
      if (round > 0) times.get(name)?.push(opened);
    }
  }
  const empty = median((times.get(EMPTY.name) ?? []).map(({ whole }) => whole)) ?? 0;
  for (const [name, values] of times) {
    const useful = median(values.map((one) => one.useful)) ?? 0;
    const whole = median(values.map((one) => one.whole)) ?? 0;
    const beside = `${(useful / LIMIT_MS).toFixed(2)} × the limit of ${LIMIT_MS} ms`;
    const over = `${(useful - empty).toFixed(0)} ms over an empty page`;
    console.log(
      `${name.padEnd(20)} ${useful.toFixed(0).padStart(5)} ms  ${beside}, ${over}; all of it ${whole.toFixed(0)} ms`,
    );
  }
}

/** Each page of the console with the demo's data, beside an empty page of the same server. */
export default async function run(): Promise<void> {
  await browseDemo(measure);
}
