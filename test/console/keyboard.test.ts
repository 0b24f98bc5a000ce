import { afterAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/clients/chromium.ts';
import { addressesOf } from '../support/console/addresses.ts';
import { visitDemo } from '../support/console/demo.ts';
import {
  faultsOfPanels,
  faultsOfWalk,
  pointerOnly,
  watchPointers,
} from '../support/console/keys.ts';

const PEOPLE = 120;
const WIDE = { width: 1440, height: 900 };
const browser = await launchChromium();
const demo = browser && (await visitDemo(browser, PEOPLE));
const appPath = `/apps/${demo?.apps[0]?.appId}`;
if (demo) await watchPointers(demo.visitor.context);
afterAll(() => browser?.close());

async function open(path: string): Promise<Page> {
  if (!demo) throw new Error('There is no Chromium here.');
  const { page, go } = demo.visitor;
  await page.setViewportSize(WIDE);
  await go(path);
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

describe.skipIf(!demo)('without a pointer', () => {
  test('everything is reached, seen and used, on every page', async () => {
    const faults: string[] = [];
    for (const path of await addressesOf(appPath, open)) {
      const page = await open(path);
      const found = [
        ...(await pointerOnly(page)).map((one) => `by pointer only: ${one}`),
        ...(await faultsOfWalk(page)),
        ...(await faultsOfPanels(page)),
      ];
      faults.push(...found.map((fault) => `${path}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(demo?.visitor.faults).toEqual([]);
  });
});
