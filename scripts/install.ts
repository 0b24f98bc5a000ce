import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

export const ROOT = join(import.meta.dir, '..');

/** Says which bun.lock was installed; written last, so a half-made node_modules has none. */
const STAMP = join(ROOT, 'node_modules', '.installed');

const NEEDED = '>=1.4.0';

function giveUp(reason: string): never {
  console.error(reason);
  process.exit(1);
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const lockHash = () => Bun.hash(read(join(ROOT, 'bun.lock'))).toString(36);

/** `run` is what the service needs to run; `all` is that and what its tests and checks need. */
export type Wanted = 'run' | 'all';

const stampOf = (wanted: Wanted) => (wanted === 'all' ? lockHash() : `${lockHash()} run`);

/** Starts this program afresh, with the same arguments. */
function startAgain(env: NodeJS.ProcessEnv): void {
  process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(1)], env);
}

/** An empty or relative path counts as none (XDG); Bun makes its cache in the working folder then. */
function withoutRelativeCache(): void {
  const { XDG_CACHE_HOME: cache, ...env } = process.env;
  if (cache !== undefined && !isAbsolute(cache)) startAgain(env);
}

/**
 * Installs the dependencies when they are missing or not those of bun.lock, and then starts this
 * program afresh: a process that began without node_modules goes on resolving packages from Bun's
 * global cache. Needs nothing but Bun, which may not be on PATH (`npx bun@1.4.5 run start`).
 */
export async function ensureInstalled(
  wanted: Wanted = 'all',
  more: readonly string[] = [],
): Promise<void> {
  if (!Bun.semver.satisfies(Bun.version, NEEDED)) {
    giveUp(
      `This needs Bun ${NEEDED}, and runs on ${Bun.version}: "bun upgrade", or "npx bun@1.4.5 …".`,
    );
  }
  withoutRelativeCache();
  const stamp = read(STAMP);
  if (stamp === stampOf('all') || stamp === stampOf(wanted)) return;
  console.error('Installing dependencies …');
  await install(wanted, more);
  startAgain(process.env);
}

async function install(wanted: Wanted, more: readonly string[]): Promise<void> {
  const production = wanted === 'run' ? ['--production'] : [];
  const install = Bun.spawn(
    [process.execPath, 'install', '--frozen-lockfile', ...production, ...more],
    {
      cwd: ROOT,
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [out, err, code] = await Promise.all([
    new Response(install.stdout).text(),
    new Response(install.stderr).text(),
    install.exited,
  ]);
  if (code !== 0) giveUp(`bun install failed:\n${out}\n${err}`);
  // Copies of a working tree may share the file by hard links.
  rmSync(STAMP, { force: true });
  await Bun.write(STAMP, stampOf(wanted));
}

if (import.meta.main) {
  const [, , wanted, ...more] = process.argv;
  await ensureInstalled(wanted === 'run' ? 'run' : 'all', more);
}
