import { join } from 'node:path';
import { overrides } from '../../package.json';
import { ROOT } from '../install.ts';
import { type Advisory, askAdvisories } from './advisories.ts';
import reasons from './behind.json';

/** Each has a lock file of its own. */
const FOLDERS = ['.', 'test/compat'];

type Behind = { name: string; current: string; latest: string };

const ROW = /^\| (\S+)(?: \(\w+\))? +\| (\S+) +\| \S+ +\| (\S+) +\|$/gm;

/** The table that `bun outdated` prints. */
export const readBehind = (output: string): Behind[] =>
  [...output.matchAll(ROW)]
    .map(([, name = '', current = '', latest = '']) => ({ name, current, latest }))
    .filter(({ name }) => name !== 'Package');

async function askBun(words: string[], folder: string): Promise<string> {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: join(ROOT, folder),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(/error: (.*)/.exec(errors)?.[1] ?? errors.trim());
  return output;
}

/** `bun outdated` lists none of them. */
async function findOverrides(): Promise<Behind[]> {
  const asked = Object.entries(overrides).map(async ([name, current]) => {
    const latest = (await askBun(['pm', 'view', name, 'version'], '.')).trim();
    return { name, current, latest };
  });
  return (await Promise.all(asked)).filter(({ current, latest }) => current !== latest);
}

/** What is behind without a reason, and reasons that nothing needs, are wrong. */
export function describeBehind(
  behind: readonly Behind[],
  why: Readonly<Record<string, string>>,
  advisories: readonly Advisory[],
): { lines: string[]; isWrong: boolean } {
  const lines = behind.flatMap(({ name, current, latest }) => [
    `${name} ${current}, newest ${latest}: ${why[name] ?? 'no reason (scripts/supply/behind.json)'}`,
    ...advisories
      .filter((one) => one.name === name)
      .map(({ severity, title, url }) => `  ${severity}: ${title} ${url}`),
  ]);
  const names = new Set(behind.map(({ name }) => name));
  const spare = Object.keys(why).filter((name) => !names.has(name));
  const isWrong = spare.length > 0 || behind.some(({ name }) => why[name] === undefined);
  return {
    lines: [
      ...lines,
      ...spare.map((name) => `${name} is at its newest: remove its reason`),
      `${behind.length} dependencies are behind, ${advisories.length} advisories`,
    ],
    isWrong,
  };
}

/** A registry that cannot be asked fails nothing. */
export async function listOutdated(): Promise<number> {
  try {
    const tables = await Promise.all(FOLDERS.map((folder) => askBun(['outdated'], folder)));
    const behind = [...tables.flatMap(readBehind), ...(await findOverrides())];
    const { found, why } = await askAdvisories();
    if (why !== null) console.log(`not run: advisories (the registry does not answer: ${why})`);
    const { lines, isWrong } = describeBehind(behind, reasons, found);
    console.log(lines.join('\n'));
    return isWrong ? 1 : 0;
  } catch (error) {
    console.log(`not run: outdated (${error instanceof Error ? error.message : error})`);
    return 0;
  }
}
