import { SECOND_MS, sleep } from '../../shared/time.ts';
import { isBehindPooler } from '../../storage/pooler.ts';
import type { Sql } from '../../storage/postgres.ts';
import { selectRunningProcesses } from './queries.ts';

const EACH_SPEAKS_WITHIN_MS = 3 * SECOND_MS;

/** A pooler hands on connections and names each by its last user, so this holds one for a while. */
export async function findRunningProcesses(sql: Sql): Promise<string[]> {
  const isPooled = await isBehindPooler(sql);
  return sql.begin(async (tx) => {
    if (isPooled) await sleep(EACH_SPEAKS_WITHIN_MS);
    return selectRunningProcesses(tx);
  });
}
