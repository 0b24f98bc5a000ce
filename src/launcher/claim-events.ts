import type { Config } from '../config.ts';
import { claimPlace } from '../event-store/append.ts';
import type { Logger } from '../observability/log.ts';
import { AppError } from '../shared/errors.ts';
import { systemClock } from '../shared/time.ts';
import { openObjectStore } from '../storage/object-store/open.ts';
import type { Sql } from '../storage/postgres.ts';

/**
 * Refuses the start where EVENTS_URL leads to the files of another installation, or elsewhere than
 * this one's. A bucket that is away is no reason to turn events away: every process looks itself
 * before it changes anything there.
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
    log.warn({ err: thrown, url }, 'The bucket of EVENTS_URL cannot be reached.');
  }
}
