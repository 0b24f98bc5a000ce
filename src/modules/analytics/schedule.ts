import { cron } from '@elysiajs/cron';
import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { syncAll } from './sync-all.ts';

/** Past the full hour, when everybody else's schedules begin. */
const HOURLY = '7 * * * *';

/**
 * Wakes the organizations once an hour, from every API process: an actor that is at work already
 * only takes note. Nothing else depends on it, actors wake up by themselves.
 */
export function scheduleSyncAll(deps: Deps): { stop: () => void } {
  const run = async () => {
    try {
      const result = await syncAll({ deps, requestId: 'cron' });
      deps.log.info({ ...result, errors: result.errors.length }, 'Organizations were woken');
    } catch (thrown) {
      deps.log.warn({ err: thrown }, 'Organizations could not be woken');
    }
  };
  const plugin = new Elysia().use(cron({ name: 'syncAll', pattern: HOURLY, protect: true, run }));
  return { stop: () => plugin.store.cron.syncAll.stop() };
}
