import { statSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '..');

/** Written by `bun install` when it has finished, so a half-made node_modules has none. */
const STAMP = join(ROOT, 'node_modules', '.installed');

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Installs the dependencies when they are missing or older than bun.lock, and then starts this
 * program afresh: a process that began without node_modules goes on resolving packages from Bun's
 * global cache. Needs nothing but Bun, which may not be on PATH (`npx bun@1.4.5 run start`).
 */
export async function ensureInstalled(): Promise<void> {
  if (modified(STAMP) > modified(join(ROOT, 'bun.lock'))) return;
  console.error('Installing dependencies …');
  await install();
  process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(1)], process.env);
}

async function install(): Promise<void> {
  const install = Bun.spawn([process.execPath, 'install', '--frozen-lockfile'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, code] = await Promise.all([
    new Response(install.stdout).text(),
    new Response(install.stderr).text(),
    install.exited,
  ]);
  if (code !== 0) throw new Error(`bun install failed:\n${out}\n${err}`);
  await Bun.write(STAMP, `${Bun.version}\n`);
}
