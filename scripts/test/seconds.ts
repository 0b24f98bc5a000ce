import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parser } from '../../src/shared/schema.ts';
import { ROOT } from '../install.ts';
import type { Seconds } from './plan.ts';

const RECORD = join(ROOT, 'scripts/test/seconds.json');

const MeasureSchema = Type.Object({
  path: Type.String(),
  wall: Type.Number(),
  processor: Type.Number(),
  waits: Type.Record(Type.String(), Type.Number()),
});
/** Seconds that a file of tests took, as `scripts/test/measure.ts` writes them. */
export type Measure = typeof MeasureSchema.static;

const measureParser = parser(MeasureSchema, 'a measure of a test file');
const secondsParser = parser(Type.Record(Type.String(), Type.Number()), RECORD);

/** The cache's record is of this machine, and newer than the one of the repository. */
const cachedRecord = (cacheDir: string) => join(cacheDir, 'test-seconds.json');

async function read(path: string): Promise<Seconds> {
  if (!existsSync(path)) return {};
  return secondsParser.parse(await Bun.file(path).json());
}

export async function recordedSeconds(cacheDir: string): Promise<Seconds> {
  return { ...(await read(RECORD)), ...(await read(cachedRecord(cacheDir))) };
}

/** Without the lines before the first file, which is the loading of the runner itself. */
export async function readMeasures(path: string): Promise<Measure[]> {
  if (!existsSync(path)) return [];
  const lines = (await Bun.file(path).text()).split('\n').filter(Boolean);
  return lines
    .map((line) => measureParser.parse(JSON.parse(line)))
    .filter(({ path }) => path !== '');
}

/** Files that are gone are left out, so that no path stays for ever. */
async function write(path: string, measures: readonly Measure[]): Promise<void> {
  const spent = measures.map(({ path, wall }): [string, number] => [path, wall]);
  const all = Object.entries({ ...(await read(path)), ...Object.fromEntries(spent) })
    .filter(([file]) => existsSync(join(ROOT, file)))
    .map(([file, seconds]): [string, number] => [file, Math.round(seconds * 10) / 10])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  await Bun.write(path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** Keeps the seconds of each file for the next plan: on this machine, or in the repository too. */
export async function keepSeconds(
  measures: readonly Measure[],
  { cacheDir, inRepository }: { cacheDir: string; inRepository: boolean },
): Promise<void> {
  await write(cachedRecord(cacheDir), measures);
  if (inRepository) await write(RECORD, measures);
}
