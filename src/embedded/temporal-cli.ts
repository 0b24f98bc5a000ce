import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const TEMPORAL_CLI_VERSION = 'v1.5.1';

export type CliSearch = {
  /** `TEMPORAL_CLI_PATH`: used as it is, or an error. */
  configuredPath: string | undefined;
  cacheRoot: string;
  /** `PATH` in which `temporal` and `go` are looked for. */
  searchPath: string;
  /** One line of progress for whoever waits. */
  report: (line: string) => void;
};

/** The cache outside the project, shared by every clone: `XDG_CACHE_HOME` or `~/.cache`. */
export function cacheRoot(xdgCacheHome: string | undefined): string {
  return join(xdgCacheHome || join(homedir(), '.cache'), 'mobile-control-plane');
}

export function cachedCliPath(root: string): string {
  const platform = `${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`;
  return join(root, 'temporal', platform, 'temporal');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function configured(search: CliSearch): string | undefined {
  if (search.configuredPath === undefined) return undefined;
  if (isExecutable(search.configuredPath)) return search.configuredPath;
  throw new Error(
    `TEMPORAL_CLI_PATH is ${search.configuredPath}, which is not an executable file.`,
  );
}

function cached(search: CliSearch): string | undefined {
  const path = cachedCliPath(search.cacheRoot);
  return isExecutable(path) ? path : undefined;
}

/** The `temporal` binary for the embedded server. */
export async function findTemporalCli(search: CliSearch): Promise<string> {
  const found =
    configured(search) ?? Bun.which('temporal', { PATH: search.searchPath }) ?? cached(search);
  if (found) return found;
  throw new Error('No temporal binary.');
}
