import type { Config } from '../config.ts';
import { claimPlace } from '../event-store/place.ts';
import type { Logger } from '../observability/log.ts';
import { AppError } from '../shared/errors.ts';
import { systemClock } from '../shared/time.ts';
import { openObjectStore } from '../storage/object-store/open.ts';
import type { Sql } from '../storage/postgres.ts';

/**
 * Throws when another installation's. An unreachable bucket passes: checked again before writes.
 */
export async function claimEventFiles(config: Config, sql: Sql, log: Logger): Promise<void> {
  const { url } = config.events;
  const objects = openObjectStore(config);
  try {
    await claimPlace({ sql, clock: systemClock, objects, url });
  } catch (thrown) {
    if (thrown instanceof AppError) {
      throw new Error([thrown.message, thrown.hint].filter(Boolean).join(' '), { cause: thrown });
    }
    if (!objects.isRemote) throw thrown;
    log.warn({ err: thrown, url }, 'bucket of EVENTS_URL cannot be reached');
  }
}
