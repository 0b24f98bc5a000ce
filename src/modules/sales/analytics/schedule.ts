import { cron } from '@elysiajs/cron';
import { Elysia } from 'elysia';
import type { Deps } from '../../../context.ts';
import { takeTurn } from '../../../storage/schedule.ts';
import { syncAll } from './sync-all.ts';

/** Past the full hour, when everybody else's schedules begin. */
const HOURLY = '7 * * * *';
/** Less than an hour, and more than the clocks of hosts differ. */
const APART_MINUTES = 45;

/** Wakes the organizations unless another process has within the hour. */
export async function syncAllInTurn(deps: Deps): Promise<void> {
  try {
    if (!(await takeTurn(deps.sql, 'sync-all', APART_MINUTES))) return;
    const result = await syncAll({ deps, requestId: 'cron' });
    deps.log.info({ ...result, errors: result.errors.length }, 'Organizations were woken');
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'Organizations could not be woken');
  }
}

/**
 * Wakes the organizations once an hour, from one API process of all: an actor takes only so many
 * questions at a time. Nothing else depends on it, actors wake up by themselves.
 */
export function scheduleSyncAll(deps: Deps): { stop: () => void } {
  const run = () => syncAllInTurn(deps);
  const plugin = new Elysia().use(cron({ name: 'syncAll', pattern: HOURLY, protect: true, run }));
  return { stop: () => plugin.store.cron.syncAll.stop() };
}
