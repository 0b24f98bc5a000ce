import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Browsed } from './browse.ts';
import { smaller } from './smaller.ts';
import { settle } from './walk.ts';

type Front = {
  name: string;
  path: string;
  height: number;
  colorScheme: 'light' | 'dark';
  /** Share of the chart's width at the crosshair. */
  pointAt?: number;
};

const WIDTH_PX = 1_440;
const FRONT: readonly Front[] = [
  { name: 'today', path: ':app/today', height: 1_047, colorScheme: 'light', pointAt: 0.405 },
  {
    name: 'funnel',
    path: ':app/funnels?breakdown=appVersion',
    height: 1_233,
    colorScheme: 'light',
  },
  {
    ...{ name: 'subscribers', path: ':app/subscribers', height: 1_241 },
    ...{ colorScheme: 'dark', pointAt: 0.84 },
  },
];

async function pointAt(page: Page, share: number): Promise<void> {
  const box = await page.locator('figure.chart .chart-place').first().boundingBox();
  if (box) await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
}

/** The pictures of the README, twice as fine. */
export async function takeFront(
  { page: first, login, pathOf }: Browsed,
  { folder, isWanted }: { folder: string; isWanted: (name: string) => boolean },
): Promise<void> {
  const browser = first.context().browser();
  const storageState = await first.context().storageState();
  const page = await browser?.newPage({ storageState, locale: 'en-US', deviceScaleFactor: 2 });
  if (!page) return;
  for (const { name, path, height, colorScheme, pointAt: share } of FRONT) {
    if (!isWanted(name)) continue;
    await page.setViewportSize({ width: WIDTH_PX, height });
    await page.mouse.move(0, 0);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${login.url}${pathOf(path)}`);
    await settle(page);
    // Asked for once everything else is there.
    await page.locator('.nav-note > .dot').first().waitFor();
    await settle(page);
    if (share !== undefined) await pointAt(page, share);
    await settle(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(join(folder, `front-${name}.png`), smaller(picture));
    console.log(`front-${name}: ${path}`);
  }
  await page.close();
}
