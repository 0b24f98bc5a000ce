import type { Page } from 'playwright-core';
import type { DemoLogin } from './demo.ts';

const ANSWERED_MS = 60_000;

/** The page when every figure is drawn, and none is on its way. */
export const DRAWN = 'body:has(h1):not(:has([aria-busy="true"]))';

export async function signIn(page: Page, { url, email, password }: DemoLogin): Promise<void> {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.shell').waitFor({ timeout: ANSWERED_MS });
}

/** Settles when the answers of a page have come and what they say is drawn. */
export async function settle(page: Page): Promise<void> {
  await page.locator(DRAWN).waitFor({ timeout: ANSWERED_MS });
  await page.waitForLoadState('networkidle', { timeout: ANSWERED_MS });
  await page.locator(DRAWN).waitFor({ timeout: ANSWERED_MS });
}

/** The address behind the first link of a list, for the page of one experiment or person. */
export async function firstLink(page: Page, url: string, list: string, begin: string) {
  await page.goto(`${url}${list}`);
  await settle(page);
  return page
    .locator(`main a[href*="${begin}"]`)
    .last()
    .getAttribute('href')
    .catch(() => null);
}
