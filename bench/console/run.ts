import type { Page } from 'playwright-core';
import { allPages, type Browsed, browseDemo } from '../../scripts/screenshots/browse.ts';
import { DRAWN, settle } from '../../scripts/screenshots/walk.ts';

/** `--network=3g`: the "fast 3G" of Chromium with an empty cache, as on a first visit. */
const isSlow = process.argv.includes('--network=3g');
const SLOW_NETWORK = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (0.9 * 1.6 * 1_048_576) / 8,
  uploadThroughput: (0.9 * 0.75 * 1_048_576) / 8,
};
const LIMIT_MS = isSlow ? 4_000 : 300;
const PAINT_LIMIT_MS = isSlow ? 4_000 : 150;
const ROUNDS = 3;
/** No page of the console: what the browser and the server take by themselves. */
const EMPTY = '/help/licences';

/** The first figures of a page: of its strip, a table or a list of facts. */
const FIGURES = 'main :is(.kpi-figure:not([aria-busy]), td, dd)';

/** In the page: when it had its heading and its first figure, and when it last became whole, that is every figure drawn and no skeleton left. */
const WATCH = `
  globalThis.wholeAtMs = undefined;
  const watch = () => {
    const isWhole = document.querySelector('${DRAWN}') !== null;
    if (!isWhole) globalThis.wholeAtMs = undefined;
    else globalThis.wholeAtMs ??= performance.now();
    const isUseful = isWhole || document.querySelector('body:has(h1) ${FIGURES}') !== null;
    if (isUseful) globalThis.usefulAtMs ??= performance.now();
  };
  new MutationObserver(watch).observe(document, { childList: true, subtree: true, attributes: true });
`;
/** The calls of the API: how many, how many of them had to wait for another, and the slowest. */
const CALLS = `(() => {
  const calls = performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.startsWith('/v1/'))
    .toSorted((a, b) => a.startTime - b.startTime);
  let waves = 0;
  let endMs = -1;
  for (const { startTime } of calls) {
    if (startTime < endMs) continue;
    waves += 1;
    endMs = Math.min(...calls.filter((one) => one.startTime >= startTime).map((one) => one.responseEnd));
  }
  const slowest = calls.toSorted((a, b) => b.duration - a.duration)[0];
  return {
    calls: calls.length,
    waves,
    slowest: slowest ? new URL(slowest.name).pathname.replace(/(app|fun|exp)_[^/]+/g, ':$1') : '',
    slowestMs: slowest?.duration ?? 0,
  };
})()`;

type Calls = { calls: number; waves: number; slowest: string; slowestMs: number };
type Opened = Calls & { ms: number; paintMs: number; usefulMs: number };
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function open(page: Page, url: string, isEmpty: boolean): Promise<Opened> {
  await page.goto(url, { waitUntil: 'load' });
  if (!isEmpty) await settle(page);
  const ms = Number(
    await page.evaluate(
      isEmpty
        ? "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        : 'globalThis.wholeAtMs',
    ),
  );
  const paintMs = Number(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"),
  );
  const usefulMs = Number(await page.evaluate('globalThis.usefulAtMs'));
  const calls: Calls = await page.evaluate(CALLS);
  return { ...calls, ms, paintMs, usefulMs };
}

/** `--page=NAME` takes only the pages whose name has this in it. */
const wantedNames = process.argv
  .filter((argument) => argument.startsWith('--page='))
  .map((argument) => argument.slice('--page='.length));
const isWanted = (name: string) =>
  wantedNames.length === 0 || wantedNames.some((part) => name.includes(part));

function lineOf(name: string, all: readonly Opened[], emptyMs: number): string {
  const ms = median(all.map((one) => one.ms));
  const paintMs = median(all.map((one) => one.paintMs));
  const usefulMs = median(all.map((one) => one.usefulMs));
  const { calls = 0, waves = 0, slowest = '' } = all.at(-1) ?? {};
  return [
    `${name.padEnd(18)} paint ${paintMs.toFixed(0).padStart(4)} ms ${paintMs > PAINT_LIMIT_MS ? '!' : ' '}`,
    `useful ${usefulMs.toFixed(0).padStart(5)} ms ${usefulMs > LIMIT_MS ? '!' : ' '}`,
    `whole ${ms.toFixed(0).padStart(5)} ms`,
    `${(ms / emptyMs).toFixed(1).padStart(5)} × the empty page`,
    `${calls} calls in ${waves} waves`,
    slowest && `slowest ${median(all.map((one) => one.slowestMs)).toFixed(0)} ms ${slowest}`,
  ].join('  ');
}

async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
  await browser.send('Network.emulateNetworkConditions', SLOW_NETWORK);
}

async function measure(browsed: Browsed): Promise<void> {
  const { page, login } = browsed;
  await page.addInitScript(WATCH);
  if (isSlow) await slowDown(page);
  const pages = (await allPages(browsed)).filter(
    ({ name, path }) => !path.startsWith('/help') && isWanted(name),
  );
  const over: string[] = [];
  for (const { name, path } of pages) {
    const empty: number[] = [];
    const all: Opened[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = await open(page, login.url + EMPTY, true);
      const one = await open(page, login.url + path, false);
      // The first round fills caches of the browser and compiles routes.
      if (round > 0) empty.push(before.ms);
      if (round > 0) all.push(one);
    }
    console.log(lineOf(name, all, median(empty)));
    if (median(all.map(({ usefulMs }) => usefulMs)) > LIMIT_MS) over.push(name);
  }
  console.log(
    `${over.length} of ${pages.length} pages useful after more than ${LIMIT_MS} ms: ${over.join(', ')}`,
  );
}

/** Until each page of the console shows something, its first figure, and all of them, with the demo's data, beside an empty page of the same server. */
export default async function run(): Promise<void> {
  console.log('starting the demo: about a minute');
  await browseDemo(measure);
}
