import { cron } from '@elysiajs/cron';
import { Elysia } from 'elysia';
import type { Deps } from '../../../context.ts';
import { takeTurn } from '../../../storage/schedule.ts';
import { syncAll } from './sync-all.ts';

/** Off the full hour, which is crowded. */
const HOURLY = '7 * * * *';
/** Under an hour by more than the clock skew of hosts. */
const APART_MINUTES = 45;

export async function syncAllOnce(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): Promise<void> {
  try {
    if (!(await takeTurn(deps.sql, 'sync-all', APART_MINUTES))) return;
    const result = await syncAll({ deps, requestId: 'cron' });
    deps.log.info({ ...result, errors: result.errors.length }, 'organizations woken');
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'organizations could not be woken; the next hour tries again');
  }
}

/** An actor takes few updates at a time. Optional: actors wake by themselves. */
export function scheduleSyncAll(deps: Pick<Deps, 'log' | 'sql' | 'temporal'>): {
  stop: () => void;
} {
  const run = () => syncAllOnce(deps);
  const plugin = new Elysia().use(cron({ name: 'syncAll', pattern: HOURLY, protect: true, run }));
  return { stop: () => plugin.store.cron.syncAll.stop() };
}
