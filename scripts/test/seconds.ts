import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../install.ts';
import type { Seconds } from './plan.ts';

const RECORD = join(ROOT, 'scripts/test/seconds.json');
/** What takes less is not worth a line. */
const WORTH_SECONDS = 3;

export async function recordedSeconds(): Promise<Seconds> {
  return Bun.file(RECORD).json();
}

/**
 * How a `bun test` over several files spent its time: of each test it prints the file's heading and
 * the milliseconds. The rest, loading and the like, is shared out evenly.
 */
export function secondsByFile(
  paths: readonly string[],
  output: string,
  seconds: number,
): Record<string, number> {
  const spent = new Map(paths.map((path) => [path, 0]));
  let current = '';
  for (const line of output.split('\n')) {
    const heading = /^(test\/\S+\.test\.ts):$/.exec(line)?.[1];
    if (heading !== undefined) current = heading;
    const ms = /^\((?:pass|fail)\) .* \[([\d.]+)ms\]$/.exec(line)?.[1];
    if (ms !== undefined) spent.set(current, (spent.get(current) ?? 0) + Number(ms) / 1_000);
  }
  const inTests = [...spent.values()].reduce((sum, one) => sum + one, 0);
  const rest = Math.max(0, seconds - inTests) / paths.length;
  return Object.fromEntries([...spent].map(([path, own]) => [path, own + rest]));
}

/** Keeps what the slower files took, for the next run to begin with them. */
export async function writeSeconds(spent: ReadonlyMap<string, number>): Promise<void> {
  const all = new Map([...Object.entries(await recordedSeconds()), ...spent]);
  const worth = [...all]
    .filter(([path, seconds]) => seconds >= WORTH_SECONDS && existsSync(join(ROOT, path)))
    .map(([path, seconds]): [string, number] => [path, Math.round(seconds)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  await Bun.write(RECORD, `${JSON.stringify(Object.fromEntries(worth), null, 2)}\n`);
}
