import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observability/log.ts';

const ROOT = join(import.meta.dir, '../..');
const WATCHED = ['src', 'workflows', 'activities'].map((folder) => join(ROOT, folder));
/** Debounce: editors write in several steps. */
const QUIET_MS = 150;

/** True when the watcher names no file. */
export const concernsService = (file: string | null): boolean =>
  file === null || /\.(ts|sql|json)$/.test(file);

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
