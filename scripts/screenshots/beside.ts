import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../install.ts';
import type { Browsed } from './browse.ts';
import { smaller } from './smaller.ts';
import { settle } from './walk.ts';

/** A picture that was drawn before the console: the view beside it, of the same size. */
type Target = {
  name: string;
  path: string;
  width: number;
  height: number;
  /** What stands open in it. */
  act?: (page: Page) => Promise<void>;
};

type Wanted = (name: string) => boolean;

const WIDE_PX = 1_440;
const NARROW_PX = 390;
const SCHEMES = ['light', 'dark'] as const;
const BESIDE = join(ROOT, 'docs/console/beside');

/** The crosshair on a day of the page's first chart, as a share of its width. */
const pointAt = (share: number) => async (page: Page) => {
  const box = await page.locator('figure.chart .chart-place').first().boundingBox();
  if (box) await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
};

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').first().fill('fun');
  await page.locator('.palette-item').nth(1).waitFor();
}

async function openRange(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Range/ }).click();
  await page.getByRole('grid').nth(1).waitFor();
}

const TRENDS = ':app/trends?event=app_opened&breakdown=platform';
const FUNNEL = ':app/funnels?breakdown=appVersion';

const TARGETS: readonly Target[] = [
  { name: 'home', path: '/', width: WIDE_PX, height: 900 },
  { name: 'home-narrow', path: '/', width: NARROW_PX, height: 1_091 },
  { name: 'home-palette', path: '/', width: WIDE_PX, height: 900, act: search },
  { name: 'today', path: ':app/today', width: WIDE_PX, height: 1_047, act: pointAt(0.405) },
  { name: 'trends', path: TRENDS, width: WIDE_PX, height: 900, act: pointAt(0.485) },
  { name: 'trends-range', path: TRENDS, width: WIDE_PX, height: 900, act: openRange },
  { name: 'funnel', path: FUNNEL, width: WIDE_PX, height: 1_233 },
  { name: 'funnel-narrow', path: FUNNEL, width: NARROW_PX, height: 1_160 },
  {
    name: 'subscribers',
    path: ':app/subscribers',
    width: WIDE_PX,
    height: 1_241,
    act: pointAt(0.84),
  },
];

/** Takes ours beside each of them, twice as fine. */
export async function takeBeside({ page: first, login, pathOf }: Browsed, isWanted: Wanted) {
  const browser = first.context().browser();
  const storageState = await first.context().storageState();
  const page = await browser?.newPage({ storageState, locale: 'en-US', deviceScaleFactor: 2 });
  if (!page) return;
  for (const { name, path, width, height, act } of TARGETS) {
    if (!isWanted(name)) continue;
    await page.setViewportSize({ width, height });
    await page.mouse.move(0, 0);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${login.url}${pathOf(path)}`);
      await settle(page);
      // Asked for once everything else is there.
      if (width === WIDE_PX) await page.locator('.nav-note > .dot').first().waitFor();
      await settle(page);
      await act?.(page);
      await settle(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      await writeFile(join(BESIDE, `${name}-${colorScheme}.png`), smaller(picture));
    }
    console.log(`beside ${name}: ${path}`);
  }
  await page.close();
}
