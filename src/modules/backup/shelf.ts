import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { namesIn } from '../../storage/files.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { backup } from './backup.ts';
import { putCopy } from './files.ts';
import { MANIFEST } from './manifest.ts';
import type { Reporting } from './progress.ts';
import { verifyBackup } from './verify.ts';

/** Where scheduled backups of one installation stand, each in a folder of its name. */
export type Shelf = {
  /** Makes and verifies one; returns its bytes. Nothing remains of one that failed. */
  make: (name: string, reporting: Reporting) => Promise<number>;
  /** Removes all but the newest `count` finished ones, and what was left unfinished. */
  keep: (count: number) => Promise<void>;
};

/** In this form names sort by time; anything else in the place is not ours and stays. */
const NAME = /^backup-\d{8}T\d{6}Z$/;
const isOurs = (name: string) => NAME.test(name);
export const backupName = (at: Date) =>
  `backup-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** What of the names, finished or not, is to be removed. */
export function superfluous(
  names: readonly { name: string; finished: boolean }[],
  count: number,
): string[] {
  const ours = names.filter(({ name }) => isOurs(name));
  const finished = ours.filter((one) => one.finished).map(({ name }) => name);
  const kept = new Set(finished.toSorted().toReversed().slice(0, count));
  return ours.map(({ name }) => name).filter((name) => !kept.has(name));
}

type ShelfContext = SystemContext<'clock' | 'config' | 'objects' | 'sql'>;

function folderShelf(ctx: ShelfContext, folder: string): Shelf {
  return {
    make: async (name, reporting) => {
      const dir = join(folder, name);
      await backup(ctx, dir, reporting);
      return (await verifyBackup(dir, reporting)).bytes;
    },
    keep: async (count) => {
      const names = await Promise.all(
        (await namesIn(folder)).filter(isOurs).map(async (name) => ({
          name,
          finished: (await namesIn(join(folder, name))).includes(MANIFEST),
        })),
      );
      for (const name of superfluous(names, count)) {
        // Without it, what is half removed is no backup.
        await rm(join(folder, name, MANIFEST), { force: true });
        await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

/** The files below a folder, the manifest last. */
function filesOf(dir: string): string[] {
  const found = [...new Bun.Glob('**/*').scanSync({ cwd: dir, dot: true })];
  return found.toSorted((a, b) => Number(a === MANIFEST) - Number(b === MANIFEST));
}

/** Throws unless the bucket lists every file in its size. */
async function checkUploaded(
  bucket: ObjectStore,
  prefix: string,
  dir: string,
  files: readonly string[],
): Promise<void> {
  const bytes = new Map((await bucket.list(prefix)).map((one) => [one.key, one.bytes]));
  const missing = files.filter(
    (file) => bytes.get(`${prefix}${file}`) !== Bun.file(join(dir, file)).size,
  );
  if (missing.length === 0) return;
  throw new AppError(
    'unavailable',
    `${missing.length} files of the backup are not in the bucket.`,
    {
      hint: `The first is ${missing[0]}.`,
    },
  );
}

/** Made and verified on this host, then copied, the manifest last. */
function bucketShelf(ctx: ShelfContext, url: string, folder: string): Shelf {
  const scratch = join(ctx.deps.config.dataDir, 'backup');
  const cacheDir = join(ctx.deps.config.dataDir, 'backup-cache');
  const bucket = openObjectStoreAt(ctx.deps.config, url, cacheDir);
  return {
    make: async (name, reporting) => {
      await rm(scratch, { recursive: true, force: true });
      const dir = join(scratch, name);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      try {
        await backup(ctx, dir, reporting);
        const { bytes } = await verifyBackup(dir, reporting);
        const files = filesOf(dir);
        const prefix = `${folder}/${name}/`;
        for (const file of files) {
          reporting.signal?.throwIfAborted();
          await putCopy(bucket, `${prefix}${file}`, join(dir, file));
          // Not to be read again here.
          await rm(await bucket.localPath(`${prefix}${file}`), { force: true });
        }
        await checkUploaded(bucket, prefix, dir, files);
        return bytes;
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
    keep: async (count) => {
      const listed = (await bucket.list(`${folder}/`)).map(({ key }) => key);
      const byName = Map.groupBy(listed, (key) => key.split('/')[1] ?? '');
      const names = [...byName].map(([name, keys]) => ({
        name,
        finished: keys.includes(`${folder}/${name}/${MANIFEST}`),
      }));
      for (const name of superfluous(names, count)) {
        await bucket.remove(`${folder}/${name}/${MANIFEST}`);
        for (const key of byName.get(name) ?? []) await bucket.remove(key);
      }
    },
  };
}

/** The shelf at an address, for the installation of this id: several may share the place. */
export function openShelf(ctx: ShelfContext, url: string, installationId: string): Shelf {
  return new URL(url).protocol === 'file:'
    ? folderShelf(ctx, join(fileURLToPath(url), installationId))
    : bucketShelf(ctx, url, installationId);
}
