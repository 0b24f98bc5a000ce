import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../config.ts';
import {
  copyCheck,
  EVENT_OBJECTS,
  livePaths,
  organizationIds,
  SALES_REPORTS,
} from '../../event-store/place.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { AppError } from '../../shared/errors.ts';
import { DamagedFile } from '../../storage/damaged-file.ts';
import { type Copier, type CopyCheck, openCopier } from '../../storage/object-store/copy.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { ObjectInfo, ObjectStore } from '../../storage/object-store/port.ts';
import type { Db } from '../../storage/postgres.ts';
import type { LeftOut } from './left-out.ts';
import type { KeptFile, KeptFiles } from './manifest.ts';
import { inMegabytes, type Reporting } from './progress.ts';

const COPIES_AT_ONCE = 4;

export async function withCopier<T>(
  config: Config,
  places: { from: string; to: string },
  work: (copier: Copier) => Promise<T>,
): Promise<T> {
  const cacheDir = join(config.dataDir, 'cache', `backup-${crypto.randomUUID()}`);
  const copier = openCopier(config, { ...places, cacheDir });
  try {
    return await work(copier);
  } finally {
    await copier.close();
  }
}

export async function namedObjects(
  db: Db,
  objects: Pick<ObjectStore, 'list'>,
): Promise<ObjectInfo[]> {
  const live = new Set(await livePaths(db));
  const named = (await objects.list(EVENT_OBJECTS)).filter(({ key }) => live.has(key));
  for (const orgId of await organizationIds(db)) {
    named.push(...(await objects.list(`${SALES_REPORTS}${orgId}/`)));
  }
  return named;
}

/** Objects never change under their key. */
export async function copyMissing(
  { target, copy }: Copier,
  files: readonly KeptFile[],
  { report, signal, check, leftOut }: Reporting & { check?: CopyCheck; leftOut?: LeftOut } = {},
): Promise<{ copied: number; without: ReadonlySet<string> }> {
  const present = new Map((await target.list('')).map(({ key, bytes }) => [key, bytes]));
  const lacking = files.filter(({ key, bytes }) => present.get(key) !== bytes);
  const limited = limitConcurrency(COPIES_AT_ONCE);
  const without = new Set<string>();
  let [copied, size] = [0, 0];
  await Promise.all(
    lacking.map(({ key, bytes }) =>
      limited(async () => {
        signal?.throwIfAborted();
        if (leftOut === undefined) await copy(key, check);
        else if (!(await leftOut.holds(key, () => copy(key, check)))) {
          without.add(key);
          return;
        }
        copied += 1;
        size += bytes;
        report?.(`files: ${copied} of ${lacking.length}, ${inMegabytes(size)}`);
      }),
    ),
  );
  return { copied, without };
}

export const resolveAddress = (dir: string, at: string): string =>
  new URL(at, pathToFileURL(`${dir}/`)).href;

/** By size. Throws `conflict` for a missing file. Returns the bytes. */
export async function checkKept(
  config: Config,
  dir: string,
  { at, files }: KeptFiles,
): Promise<number> {
  const address = resolveAddress(dir, at);
  const place = openObjectStoreAt(config, address, join(config.dataDir, 'cache'));
  const present = new Map((await place.list('')).map(({ key, bytes }) => [key, bytes]));
  const missing = files.filter(({ key, bytes }) => present.get(key) !== bytes);
  if (missing.length === 0) return files.reduce((sum, { bytes }) => sum + bytes, 0);
  throw new AppError(
    'conflict',
    `The backup in ${dir} is damaged: ${missing.length} of its ${files.length} event files are missing in ${address}.`,
    { hint: `The first is ${missing[0]?.key}. Use another backup.` },
  );
}

/** The next backups name the same file, so `isMended` takes a damaged one from production anew. */
export async function compareKept(
  config: Config,
  dir: string,
  { at, files }: KeptFiles,
  { isMended = false, signal }: { isMended?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const address = resolveAddress(dir, at);
  const cacheDir = join(config.dataDir, 'cache', `kept-${crypto.randomUUID()}`);
  const place = openObjectStoreAt(config, address, cacheDir);
  const sums = new Map(
    files.flatMap(({ key, bytes, sums: text }) =>
      text === undefined ? [] : [[key, { bytes, sums: Buffer.from(text, 'base64') }]],
    ),
  );
  const compare = async (key: string) => {
    const path = await place.localPath(key);
    await copyCheck(sums)(key, path).finally(() => place.isRemote && rm(path, { force: true }));
  };
  const mend = async (key: string, damaged: unknown) => {
    if (!isMended || !(damaged instanceof DamagedFile)) throw damaged;
    const places = { from: config.events.url, to: address };
    await withCopier(config, places, (copier) => copier.copy(key, copyCheck(sums))).catch(() => {
      throw damaged;
    });
    await compare(key);
  };
  try {
    for (const key of sums.keys()) {
      signal?.throwIfAborted();
      await compare(key).catch((thrown: unknown) => mend(key, thrown));
    }
  } catch (thrown) {
    if (!(thrown instanceof DamagedFile)) throw thrown;
    throw new AppError('conflict', `The backup in ${dir} is damaged: ${thrown.message}`, {
      hint: `The file is in ${address}. Remove it there: the next backup copies it again.`,
    });
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
}
