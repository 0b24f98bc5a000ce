import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../observability/log.ts';

const ROOT = join(import.meta.dir, '../..');
const WATCHED = ['src', 'workflows', 'activities'].map((folder) => join(ROOT, folder));
/** An editor writes a file in several steps. */
const QUIET_MS = 150;

/**
 * `bun run dev`: after a change the processes start again; the databases stay as they are.
 * Returns what ends the watch.
 */
export function reloadOnChange(
  reload: () => Promise<void>,
  log: Logger,
  folders: readonly string[] = WATCHED,
): () => void {
  let timer: Timer | undefined;
  let running = Promise.resolve();
  const changed = (_event: string, file: string | null) => {
    if (file && !/\.(ts|sql|json)$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      log.info({ file }, 'A file changed; the processes start again.');
      running = running.then(reload);
    }, QUIET_MS);
  };
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, changed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
