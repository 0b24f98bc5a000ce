import { textOrNull } from '../../shared/text.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { NewKeyRun } from '../catalogue/types.ts';
import type { KeyedTimes } from '../dedup/key-index.ts';
import { writeKeyRun } from '../dedup/maintain-runs.ts';
import type { ReadableFile } from '../parquet/read-files.ts';
import type { Compactor } from '../store.ts';
import { identitiesSql } from './rows-sql.ts';

/** Identities are kept for so long. */
const KEPT_MS = 8 * DAY_MS;
/** Of one run; bounds memory. */
const RUN_KEYS = 1_000_000;

/** Writes the identities of the last days in these files as key runs, which nothing names yet. */
export async function writeIdentities(
  compactor: Compactor,
  files: readonly ReadableFile[],
): Promise<NewKeyRun[]> {
  if (files.length === 0) return [];
  const { connection, clock } = compactor;
  const runs: NewKeyRun[] = [];
  let keyed: KeyedTimes[] = [];
  const write = async () => {
    const run = await writeKeyRun(compactor, keyed);
    if (run !== null) runs.push(run);
    keyed = [];
  };
  const result = await connection.stream(identitiesSql(files, clock().getTime() - KEPT_MS));
  for await (const rows of result.yieldRowObjects()) {
    for (const row of rows) {
      keyed.push({
        key: String(row.key),
        receivedAtUs: Number(row.received_us),
        clientTs: textOrNull(row.client_ts),
        occurredAtUs: Number(row.occurred_us),
        timeFlag: textOrNull(row.time_flag),
      });
    }
    if (keyed.length >= RUN_KEYS) await write();
  }
  if (keyed.length > 0) await write();
  return runs;
}
