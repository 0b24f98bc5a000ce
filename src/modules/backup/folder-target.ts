import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { namesIn } from '../../storage/files.ts';
import { backup } from './backup.ts';
import { checkKept } from './event-files.ts';
import { MANIFEST, readManifest } from './manifest.ts';
import {
  type BackupTarget,
  FILES,
  isOurs,
  superfluous,
  sweepFiles,
  type TargetContext,
} from './target.ts';
import { verifyBackup } from './verify.ts';

export function folderTarget(ctx: TargetContext, folder: string): BackupTarget {
  return {
    make: async (name, reporting) => {
      const dir = join(folder, name);
      await backup(ctx, dir, { ...reporting, filesTo: `../${FILES}` });
      return (await verifyBackup(ctx, dir, reporting)).bytes;
    },
    check: async (name) => {
      const dir = join(folder, name);
      const { kept } = await readManifest(dir);
      if (kept) await checkKept(ctx.deps.config, dir, kept);
    },
    verify: async (name) => {
      await verifyBackup(ctx, join(folder, name), { isDeep: true });
    },
    note: async (name, text) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${name}.new`), text, { mode: 0o600, flush: true });
      await rename(join(folder, `${name}.new`), join(folder, name));
    },
    keep: async (count) => {
      const names = await Promise.all(
        (await namesIn(folder)).filter(isOurs).map(async (name) => ({
          name,
          finished: (await namesIn(join(folder, name))).includes(MANIFEST),
        })),
      );
      for (const name of superfluous(names, count)) {
        await rm(join(folder, name, MANIFEST), { force: true });
        await rm(join(folder, name), { recursive: true, force: true });
      }
      const left = await namesIn(folder);
      if (!left.includes(FILES)) return;
      const kept = left.filter(isOurs);
      const manifests = await Promise.all(kept.map((name) => readManifest(join(folder, name))));
      await sweepFiles(ctx, pathToFileURL(join(folder, FILES)).href, manifests);
    },
  };
}
