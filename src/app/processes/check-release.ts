import type { Config } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { whileOpen } from '../../storage/pooler.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';
import { requireReadable } from '../../storage/release.ts';

const AGAIN_MS = 5 * SECOND_MS;

async function check({ databaseUrl }: Config): Promise<boolean> {
  if (databaseUrl === undefined) return true;
  try {
    await whileOpen(databaseUrl, requireReadable);
    return true;
  } catch (thrown) {
    if (!isDatabaseUnavailable(thrown)) throw thrown;
    return false;
  }
}

async function checkLater(config: Config, log: Logger): Promise<void> {
  try {
    while (!(await check(config))) await Bun.sleep(AGAIN_MS);
  } catch (error) {
    log.fatal({ err: error }, 'process ending');
    process.exit(1);
  }
}

/** Throws on data of a newer release; checked later in a database outage. */
export async function checkRelease(config: Config, log: Logger): Promise<void> {
  if (await check(config)) return;
  log.warn('PostgreSQL unreachable; the release will be checked against its data later');
  void checkLater(config, log);
}
