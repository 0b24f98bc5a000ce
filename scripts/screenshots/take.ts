import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../install.ts';
import { takeBeside } from './beside.ts';
import { allPages, browseDemo } from './browse.ts';
import type { Shown } from './pages.ts';
import { smaller } from './smaller.ts';
import { settle } from './walk.ts';

const USAGE = `bun run screenshots [NAME …]
Starts the service with the demo's data in a folder of its own, walks through the console in Chromium,
and writes docs/console/*.png: each page wide and narrow, light and dark, and docs/console/beside/*.png:
those beside the pictures that were drawn first. NAME takes only the pages whose name fits.
With CONSOLE_URL, CONSOLE_EMAIL and CONSOLE_PASSWORD it looks at a service that runs already.`;
const FOLDER = join(ROOT, 'docs/console');
/** What is longer goes on alike. */
const LONGEST_PX = 2_400;
const SCREENS = [
  { suffix: '', width: 1280, height: 800 },
  { suffix: '-narrow', width: 375, height: 740 },
];
const SCHEMES = [
  { tint: '-dark', colorScheme: 'dark' },
  { tint: '', colorScheme: 'light' },
] as const;

async function take(page: Page, { name, path }: Shown, url: string): Promise<void> {
  for (const { suffix, width, height } of SCREENS) {
    await page.setViewportSize({ width, height });
    await page.goto(`${url}${path}`);
    await settle(page);
    const length = Number(await page.evaluate('document.documentElement.scrollHeight'));
    for (const { tint, colorScheme } of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const picture = await page.screenshot({
        fullPage: true,
        animations: 'disabled',
        clip: { x: 0, y: 0, width, height: Math.min(length, LONGEST_PX) },
      });
      await writeFile(join(FOLDER, `${name}${suffix}${tint}.png`), smaller(picture));
    }
  }
  console.log(`${name}: ${path}`);
}

/** The pictures one below the other, for whoever browses the repository. */
async function writeIndex(shown: readonly Shown[]): Promise<void> {
  const rows = shown.map(
    ({ name }) =>
      `| ${name} | ${['', '-narrow', '-dark', '-narrow-dark'].map((kind) => `![${name}${kind}](${name}${kind}.png)`).join(' | ')} |`,
  );
  const path = join(FOLDER, 'README.md');
  await writeFile(
    path,
    `# The console in pictures

With the data of \`bun run demo\`; remade by \`bun run screenshots\`. What each page answers: [console.md](../console.md). Beside the pictures that were drawn first: [beside](beside/README.md).

| page | wide | narrow | wide, dark | narrow, dark |
| ---- | ---- | ------ | ---------- | ------------ |
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
    const isWanted = (name: string) =>
      names.length === 0 || names.some((part) => name.includes(part));
    await takeBeside(browsed, isWanted);
    const wanted = shown.filter(({ name }) => isWanted(name));
    for (const one of wanted) await take(browsed.page, one, browsed.login.url);
    await writeIndex(shown);
  });
  return 0;
}
