import { cron } from '@elysiajs/cron';
import { Elysia } from 'elysia';
import type { Deps } from '../../../context.ts';
import { takeTurn } from '../../../storage/schedule.ts';
import { syncAll } from './sync-all.ts';

/** Past the full hour, which other schedules crowd. */
const HOURLY = '7 * * * *';
/** Under an hour by more than the clocks of hosts differ. */
const APART_MINUTES = 45;

/** Wakes the organizations unless another process has within the hour. */
export async function syncAllInTurn(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): Promise<void> {
  try {
    if (!(await takeTurn(deps.sql, 'sync-all', APART_MINUTES))) return;
    const result = await syncAll({ deps, requestId: 'cron' });
    deps.log.info({ ...result, errors: result.errors.length }, 'organizations woken');
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'organizations could not be woken; the next hour tries again');
  }
}

/**
 * Wakes the organizations hourly, from one API process of all, since an actor takes a limited number
 * of updates at a time. Nothing depends on it: actors wake up by themselves.
 */
export function scheduleSyncAll(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): {
  stop: () => void;
} {
  const run = () => syncAllInTurn(deps);
  const plugin = new Elysia().use(cron({ name: 'syncAll', pattern: HOURLY, protect: true, run }));
  return { stop: () => plugin.store.cron.syncAll.stop() };
}
