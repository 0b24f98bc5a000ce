import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { type DemoLogin, startDemo } from './demo.ts';
import { FIRST_OF, SHOWN_PAGES, type Shown } from './pages.ts';
import { firstLink, signIn } from './walk.ts';

export type Browsed = {
  page: Page;
  login: DemoLogin;
  /** The address of a page, with the larger app of the demo where it says `:app`. */
  pathOf: (path: string) => string;
};

/** Runs `use` in front of the console of a service with the demo's data, its owner signed in. */
export async function browseDemo<T>(use: (browsed: Browsed) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'console-'));
  const demo = await startDemo(dataDir);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const { login } = demo;
    const page = await browser.newPage({ locale: 'en-US', colorScheme: 'light' });
    await signIn(page, login);
    const app = (await firstLink(page, login.url, '/', '/apps/')) ?? '';
    const base = app.split('/').slice(0, 3).join('/');
    return await use({ page, login, pathOf: (path) => path.replace(':app', base) });
  } finally {
    await browser.close();
    await demo.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Every page with its address. */
export async function allPages({ page, login, pathOf }: Browsed): Promise<Shown[]> {
  const shown = SHOWN_PAGES.map(({ name, path }) => ({ name, path: pathOf(path) }));
  for (const { name, list, begin } of FIRST_OF) {
    const path = await firstLink(page, login.url, pathOf(list), begin);
    if (path !== null) shown.push({ name, path });
  }
  return shown;
}
