import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { namesIn } from '../../storage/files.ts';
import { backup } from './backup.ts';
import { checkKept } from './event-files.ts';
import { MANIFEST, readManifest } from './manifest.ts';
import { type BackupTarget, FILES, isOurs, keepNewest, type TargetContext } from './target.ts';
import { verifyBackup } from './verify.ts';

export function folderTarget(ctx: TargetContext, folder: string): BackupTarget {
  return {
    make: async (name, reporting) => {
      const dir = join(folder, name);
      const { leftOut = [] } = await backup(ctx, dir, { ...reporting, filesTo: `../${FILES}` });
      const { bytes } = await verifyBackup(ctx, dir, reporting);
      return { bytes, leftOut: leftOut.length };
    },
    check: async (name) => {
      const dir = join(folder, name);
      const { kept } = await readManifest(dir);
      if (kept) await checkKept(ctx.deps.config, dir, kept);
    },
    verify: async (name, signal) => {
      await verifyBackup(ctx, join(folder, name), {
        isDeep: true,
        isMended: true,
        ...(signal && { signal }),
      });
    },
    note: async (name, text) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${name}.new`), text, { mode: 0o600, flush: true });
      await rename(join(folder, `${name}.new`), join(folder, name));
    },
    keep: (count) =>
      keepNewest(
        ctx,
        {
          names: async () => {
            const names = (await namesIn(folder)).filter(isOurs);
            const inside = await Promise.all(names.map((name) => namesIn(join(folder, name))));
            const isFinished = (index: number) => inside[index]?.includes(MANIFEST) === true;
            return names.map((name, index) => ({ name, finished: isFinished(index) }));
          },
          readManifest: (name) => readManifest(join(folder, name)),
          remove: async (name) => {
            await rm(join(folder, name, MANIFEST), { force: true });
            await rm(join(folder, name), { recursive: true, force: true });
          },
          files: async () =>
            (await namesIn(folder)).includes(FILES)
              ? pathToFileURL(join(folder, FILES)).href
              : null,
        },
        count,
      ),
  };
}
