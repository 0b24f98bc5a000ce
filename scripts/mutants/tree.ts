import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a working tree that git knows or would add. */
function filesOf(root: string): string[] {
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
  });
  if (!listed.success) throw new Error(`git could not list the files of ${root}.`);
  return listed.stdout.toString().split('\0').filter(Boolean);
}

/** Copies the working tree to `target`; the packages are those of the original. */
export function copyTree(root: string, target: string): void {
  for (const file of filesOf(root).filter((path) => existsSync(join(root, path)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file));
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
}
