import type { Page } from 'playwright-core';
import type { DemoLogin } from './demo.ts';

/** Charts are drawn after the answer, and the last answer comes after the first. */
const SETTLED_MS = 700;
const ANSWERED_MS = 60_000;

export async function signIn(page: Page, { url, email, password }: DemoLogin): Promise<void> {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rail').waitFor({ timeout: ANSWERED_MS });
}

/** Settles when the answers of a page have come and its charts are drawn. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: ANSWERED_MS });
  await page
    .locator('main:not(:has([aria-busy="true"]))')
    .waitFor({ timeout: ANSWERED_MS })
    .catch(() => undefined);
  await page.waitForTimeout(SETTLED_MS);
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
