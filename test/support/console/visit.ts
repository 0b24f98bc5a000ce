import type { Browser, BrowserContext, Page } from 'playwright-core';
import { isFullRun } from '../random.ts';
import { accessibilityFaults } from './axe.ts';

export type Visit = {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, refusals by the content security policy, and requests to other origins. */
  faults: string[];
  go: (path: string) => Promise<void>;
};

/** A person with a browser profile of their own in front of the console. */
export async function visit(browser: Browser, url: string, locale = 'en-US'): Promise<Visit> {
  // Colours half way between light and dark are no colours of the console.
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (/Content Security Policy/.test(line.text())) faults.push(line.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) faults.push(`request to ${request.url()}`);
  });
  const go = async (path: string) => {
    await page.goto(`${url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  return { context, page, faults, go };
}

const WIDE = { width: 1200, height: 900 };
// A window of 1280 by 800 at 200 %.
const LARGE_TEXT = { width: 640, height: 400 };
const NARROW = { width: 375, height: 700 };
const SCREENS = [WIDE, LARGE_TEXT, NARROW];

const LOOKS = [
  { colorScheme: 'light', screen: WIDE },
  { colorScheme: 'dark', screen: NARROW },
  { colorScheme: 'dark', screen: WIDE },
  { colorScheme: 'light', screen: LARGE_TEXT },
  { colorScheme: 'dark', screen: LARGE_TEXT },
  { colorScheme: 'light', screen: NARROW },
] as const;
const LOOKS_A_PAGE = isFullRun ? LOOKS.length : 2;
let pagesSeen = 0;

/** Each page in light and dark, and a third of the pages in each pair; all looks in a full run. */
function nextLooks() {
  const first = (pagesSeen * LOOKS_A_PAGE) % LOOKS.length;
  pagesSeen += 1;
  return LOOKS.slice(first, first + LOOKS_A_PAGE);
}

const NEXT_FRAMES =
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** The screen, where the page is wider than it. */
async function widerThan(page: Page, screen: (typeof SCREENS)[number]): Promise<string[]> {
  await page.setViewportSize(screen);
  // What is as wide as its place is drawn anew a frame later.
  await page.evaluate(NEXT_FRAMES);
  const isWider: boolean = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return isWider ? [`${page.url()}: wider than ${screen.width} px`] : [];
}

/** On which screens the page does not fit. */
export async function faultsOfWidth(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const before = page.viewportSize();
  for (const screen of SCREENS) faults.push(...(await widerThan(page, screen)));
  if (before) await page.setViewportSize(before);
  return faults;
}

/** What is wrong with the page in light and dark, wide, at 200 % and narrow. */
export async function faultsOnEveryScreen(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const faults = await faultsOfWidth(page);
  for (const { colorScheme, screen } of nextLooks()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(screen);
    await page.evaluate(NEXT_FRAMES);
    // The tabs of a narrow screen stand over what scrolls below them: nothing does then.
    const height: number = await page.evaluate('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...screen, height: Math.max(height, screen.height) });
    await page.evaluate(NEXT_FRAMES);
    faults.push(...(await accessibilityFaults(page)));
  }
  // The next test meets the page as if none had looked at it.
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
  return [...new Set(faults)];
}
