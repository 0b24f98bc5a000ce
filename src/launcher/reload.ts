import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observability/log.ts';

const ROOT = join(import.meta.dir, '../..');
const WATCHED = ['src', 'workflows', 'activities'].map((folder) => join(ROOT, folder));
/** Debounce: an editor writes a file in several steps. */
const QUIET_MS = 150;

/** False for files that are no part of the service; true when the watch does not name the file. */
export const concernsService = (file: string | null): boolean =>
  file === null || /\.(ts|sql|json)$/.test(file);

/**
 * For `bun run dev`: restarts the processes after a change, but not the databases. Returns what ends
 * the watch.
 */
export function reloadOnChange(
  reload: () => Promise<void>,
  log: Logger,
  folders: readonly string[] = WATCHED,
): () => void {
  let timer: Timer | undefined;
  let running = Promise.resolve();
  const changed = (_event: string, file: string | null) => {
    if (!concernsService(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      log.info({ file }, 'file changed; restarting the processes');
      running = running.then(reload);
    }, QUIET_MS);
  };
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, changed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
