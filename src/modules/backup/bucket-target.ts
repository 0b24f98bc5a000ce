import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { putCopy } from '../../storage/object-store/copy.ts';
import { openObjectStoreAt } from '../../storage/object-store/open.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { backup } from './backup.ts';
import { checkKept } from './event-files.ts';
import { copyDurably } from './files.ts';
import { MANIFEST, type Manifest, parseManifest } from './manifest.ts';
import { type BackupTarget, FILES, keepNewest, type TargetContext } from './target.ts';
import { verifyBackup } from './verify.ts';

function listFiles(dir: string): string[] {
  const found = [...new Bun.Glob('**/*').scanSync({ cwd: dir, dot: true })];
  return found.toSorted((a, b) => Number(a === MANIFEST) - Number(b === MANIFEST));
}

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

export function bucketTarget(ctx: TargetContext, url: string, folder: string): BackupTarget {
  const scratch = join(ctx.deps.config.dataDir, 'backup');
  const cacheDir = join(ctx.deps.config.dataDir, 'backup-cache');
  const bucket = openObjectStoreAt(ctx.deps.config, url, cacheDir);
  const place = `${url.replace(/\/+$/, '')}/${folder}`;
  const readManifest = async (name: string): Promise<Manifest> => {
    const bytes = await bucket.getBytes(`${folder}/${name}/${MANIFEST}`);
    if (bytes === null) throw new AppError('not_found', `There is no finished backup ${name}.`);
    return parseManifest(Buffer.from(bytes).toString());
  };
  return {
    check: async (name) => {
      const { kept } = await readManifest(name);
      if (kept) await checkKept(ctx.deps.config, `${place}/${name}`, kept);
    },
    verify: async (name, signal) => {
      const dir = join(ctx.deps.config.dataDir, 'backup-verified');
      const prefix = `${folder}/${name}/`;
      await rm(dir, { recursive: true, force: true });
      try {
        for (const { key } of await bucket.list(prefix)) {
          signal?.throwIfAborted();
          const path = await bucket.localPath(key);
          await copyDurably(path, join(dir, key.slice(prefix.length)));
          await rm(path, { force: true });
        }
        await verifyBackup(ctx, dir, { isDeep: true, isMended: true, ...(signal && { signal }) });
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    note: (name, text) => bucket.putBytes(`${folder}/${name}`, Buffer.from(text)),
    make: async (name, reporting) => {
      await rm(scratch, { recursive: true, force: true });
      const dir = join(scratch, name);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      try {
        const filesTo = `${place}/${FILES}`;
        const { leftOut = [] } = await backup(ctx, dir, { ...reporting, filesTo });
        const { bytes } = await verifyBackup(ctx, dir, reporting);
        const files = listFiles(dir);
        const prefix = `${folder}/${name}/`;
        for (const file of files) {
          reporting.signal?.throwIfAborted();
          await putCopy(bucket, `${prefix}${file}`, join(dir, file));
          await rm(await bucket.localPath(`${prefix}${file}`), { force: true });
        }
        await checkUploaded(bucket, prefix, dir, files);
        return { bytes, leftOut: leftOut.length };
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
    keep: async (count) => {
      const listed = (await bucket.list(`${folder}/`)).map(({ key }) => key);
      const byName = Map.groupBy(listed, (key) => key.split('/')[1] ?? '');
      const isFinished = (name: string) =>
        byName.get(name)?.includes(`${folder}/${name}/${MANIFEST}`) === true;
      const kept = {
        names: async () => [...byName.keys()].map((name) => ({ name, finished: isFinished(name) })),
        readManifest,
        remove: async (name: string) => {
          await bucket.remove(`${folder}/${name}/${MANIFEST}`);
          for (const key of byName.get(name) ?? []) await bucket.remove(key);
        },
        files: async () => `${place}/${FILES}`,
      };
      await keepNewest(ctx, kept, count);
    },
  };
}
