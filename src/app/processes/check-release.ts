import type { Config } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { createSql, isDatabaseUnavailable } from '../../storage/postgres.ts';
import { requireReadable } from '../../storage/release.ts';

const AGAIN_MS = 5 * SECOND_MS;

async function check(databaseUrl: string): Promise<boolean> {
  const sql = createSql(databaseUrl, { maxConnections: 1, applicationName: 'release-check' });
  try {
    await requireReadable(sql);
    return true;
  } catch (thrown) {
    if (!isDatabaseUnavailable(thrown)) throw thrown;
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function checkLater(databaseUrl: string, log: Logger): Promise<void> {
  try {
    while (!(await check(databaseUrl))) await Bun.sleep(AGAIN_MS);
  } catch (error) {
    log.fatal({ err: error }, 'process ending');
    process.exit(1);
  }
}

/** Throws on data of a newer release; checked later in a database outage. */
export async function checkRelease({ databaseUrl }: Config, log: Logger): Promise<void> {
  if (databaseUrl === undefined || (await check(databaseUrl))) return;
  log.warn('PostgreSQL unreachable; the release will be checked against its data later');
  void checkLater(databaseUrl, log);
}
