import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../install.ts';
import { allPages, browseDemo } from './browse.ts';
import type { Shown } from './pages.ts';
import { settle } from './walk.ts';

const USAGE = `bun run screenshots [NAME …]
Starts the service with the demo's data in a folder of its own, walks through the console in Chromium,
and writes docs/console/*.png: each page wide and narrow. NAME takes only the pages whose name fits.
With CONSOLE_URL, CONSOLE_EMAIL and CONSOLE_PASSWORD it looks at a service that runs already.`;
const FOLDER = join(ROOT, 'docs/console');
/** What is longer goes on alike. */
const LONGEST_PX = 2_400;
const SCREENS = [
  { suffix: '', width: 1280, height: 800 },
  { suffix: '-narrow', width: 375, height: 740 },
];

async function take(page: Page, { name, path }: Shown, url: string): Promise<void> {
  for (const { suffix, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.goto(`${url}${path}`);
    await settle(page);
    const length = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.screenshot({
      path: join(FOLDER, `${name}${suffix}.png`),
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(length, LONGEST_PX) },
    });
  }
  console.log(`${name}: ${path}`);
}

/** The pictures one below the other, for whoever browses the repository. */
async function writeIndex(shown: readonly Shown[]): Promise<void> {
  const rows = shown.map(
    ({ name }) => `| ${name} | ![${name}](${name}.png) | ![${name}, narrow](${name}-narrow.png) |`,
  );
  const path = join(FOLDER, 'README.md');
  await writeFile(
    path,
    `# The console in pictures

With the data of \`bun run demo\`; remade by \`bun run screenshots\`. What each page answers: [console.md](../console.md).

| page | wide | narrow |
| ---- | ---- | ------ |
${rows.join('\n')}
`,
  );
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
    const wanted = shown.filter(
      ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
    );
    for (const one of wanted) await take(browsed.page, one, browsed.login.url);
    await writeIndex(shown);
  });
  return 0;
}
