import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../install.ts';
import { allPages, browseDemo } from './browse.ts';
import { takeFront } from './front.ts';
import type { Shown } from './pages.ts';
import { smaller } from './smaller.ts';
import { settle } from './walk.ts';

const USAGE = `bun run screenshots [NAME …]
Starts the service with the demo's data in a folder of its own, walks through the console in Chromium,
and writes docs/console/*.png: each page, and front-*.png for the README. NAME takes only the pages whose name fits.
With CONSOLE_URL, CONSOLE_EMAIL and CONSOLE_PASSWORD it looks at a service that runs already.`;
const FOLDER = join(ROOT, 'docs/console');
/** What is longer goes on alike. */
const LONGEST_PX = 2_400;
const SCREEN = { width: 1280, height: 800 };

async function take(page: Page, { name, path }: Shown, url: string): Promise<void> {
  await page.setViewportSize(SCREEN);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${url}${path}`);
  await settle(page);
  const length = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const picture = await page.screenshot({
    fullPage: true,
    animations: 'disabled',
    clip: { x: 0, y: 0, width: SCREEN.width, height: Math.min(length, LONGEST_PX) },
  });
  await writeFile(join(FOLDER, `${name}.png`), smaller(picture));
  console.log(`${name}: ${path}`);
}

async function writeIndex(shown: readonly Shown[]): Promise<void> {
  const pictures = shown.map(({ name }) => `## ${name}\n\n![${name}](${name}.png)`);
  const path = join(FOLDER, 'README.md');
  const text = `# The console in pictures

With the data of \`bun run demo\`; remade by \`bun run screenshots\`. [console.md](../console.md) says which question each page answers.

${pictures.join('\n\n')}
`;
  await writeFile(path, text);
  Bun.spawnSync(['bunx', 'biome', 'format', '--write', path], { cwd: ROOT });
}

/** Returns the exit code. */
export async function takeScreenshots(names: readonly string[]): Promise<number> {
  if (names.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await mkdir(FOLDER, { recursive: true });
  await browseDemo(async (browsed) => {
    const shown = await allPages(browsed);
    const isWanted = (name: string) =>
      names.length === 0 || names.some((part) => name.includes(part));
    await takeFront(browsed, { folder: FOLDER, isWanted });
    const wanted = shown.filter(({ name }) => isWanted(name));
    for (const one of wanted) await take(browsed.page, one, browsed.login.url);
    await writeIndex(shown);
  });
  return 0;
}
