import { textOrNull } from '../../shared/text.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { Db } from '../../storage/postgres.ts';
import { streamRows } from '../../storage/read-chunks.ts';
import { writeKeyRun } from '../compaction/maintain-runs.ts';
import type { KeyedTimes } from '../dedup/key-index.ts';
import type { NewKeyRun } from '../file/event-file.ts';
import type { ReceivedRow } from '../imports/imported-rows.ts';
import { readAdoptedRows, readImportedRows } from '../imports/queries.ts';
import type { Compactor } from '../parquet/compactor.ts';
import type { ReadableFile } from '../parquet/read-files.ts';
import { inBatches } from './in-batches.ts';
import { identitiesSql } from './rows-sql.ts';

const KEPT_MS = 8 * DAY_MS;
/** Per run; bounds memory. */
const RUN_KEYS = 1_000_000;

type Identity = KeyedTimes & ReceivedRow & { key: string };

const toIdentity = (row: Record<string, unknown>): Identity => ({
  key: String(row.key),
  receivedAtUs: Number(row.received_us),
  clientTs: textOrNull(row.client_ts),
  occurredAtUs: Number(row.occurred_us),
  timeFlag: textOrNull(row.time_flag),
  appId: String(row.app_id),
  arrival: Number(row.arrival),
});

async function byImport(sql: Db, rows: readonly Identity[], only: string | null | undefined) {
  const imported = await readImportedRows(sql, rows);
  const undone = rows.filter(imported.isUndone).map(({ key }) => key);
  const adopted = await readAdoptedRows(sql, undone);
  const findAdopter = ({ key, receivedAtUs }: Identity) => adopted.get(`${key} ${receivedAtUs}`);
  const findOwner = (row: Identity) => findAdopter(row) ?? imported.importOf(row) ?? null;
  if (only === undefined) return Map.groupBy(rows, findOwner);
  const isKeptByApp = (row: Identity) => imported.isUndone(row) && findAdopter(row) === undefined;
  const isOwn = (row: Identity) => findOwner(row) === only || (only === null && isKeptByApp(row));
  return new Map([[only, rows.filter(isOwn)]]);
}

/** Not yet catalogued. */
export async function writeIdentities(
  compactor: Compactor,
  files: readonly (ReadableFile & { bytes: number; maxReceivedAt: Date })[],
  only?: string | null,
): Promise<NewKeyRun[]> {
  const { connection, clock, sql } = compactor;
  const runs: NewKeyRun[] = [];
  let identities: Identity[] = [];
  const write = async () => {
    for (const [importId, rows] of await byImport(sql, identities, only)) {
      const run = await writeKeyRun(compactor, rows, importId);
      if (run !== null) runs.push(run);
    }
    identities = [];
  };
  const sinceMs = clock().getTime() - KEPT_MS;
  const recent = files.filter(({ maxReceivedAt }) => maxReceivedAt.getTime() >= sinceMs);
  for await (const batch of inBatches(compactor, recent)) {
    for await (const row of streamRows(connection, identitiesSql(batch, sinceMs))) {
      identities.push(toIdentity(row));
      if (identities.length >= RUN_KEYS) await write();
    }
  }
  if (identities.length > 0) await write();
  return runs;
}
