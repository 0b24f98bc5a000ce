import { textOrNull } from '../../shared/text.ts';
import { DAY_MS } from '../../shared/time.ts';
import { streamRows } from '../../storage/read-chunks.ts';
import { writeKeyRun } from '../compaction/maintain-runs.ts';
import type { KeyedTimes } from '../dedup/key-index.ts';
import type { NewKeyRun } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import type { ReadableFile } from '../parquet/read-files.ts';
import { inBatches } from './in-batches.ts';
import { identitiesSql } from './rows-sql.ts';

const KEPT_MS = 8 * DAY_MS;
/** Per run; bounds memory. */
const RUN_KEYS = 1_000_000;

const toKeyed = (row: Record<string, unknown>): KeyedTimes => ({
  key: String(row.key),
  receivedAtUs: Number(row.received_us),
  clientTs: textOrNull(row.client_ts),
  occurredAtUs: Number(row.occurred_us),
  timeFlag: textOrNull(row.time_flag),
});

/** Not yet catalogued. */
export async function writeIdentities(
  compactor: Compactor,
  files: readonly (ReadableFile & { bytes: number; maxReceivedAt: Date })[],
): Promise<NewKeyRun[]> {
  const { connection, clock } = compactor;
  const runs: NewKeyRun[] = [];
  let keyed: KeyedTimes[] = [];
  const write = async () => {
    const run = await writeKeyRun(compactor, keyed);
    if (run !== null) runs.push(run);
    keyed = [];
  };
  const sinceMs = clock().getTime() - KEPT_MS;
  const recent = files.filter(({ maxReceivedAt }) => maxReceivedAt.getTime() >= sinceMs);
  for await (const batch of inBatches(compactor, recent)) {
    for await (const row of streamRows(connection, identitiesSql(batch, sinceMs))) {
      keyed.push(toKeyed(row));
      if (keyed.length >= RUN_KEYS) await write();
    }
  }
  if (keyed.length > 0) await write();
  return runs;
}
