import { onlyRow } from '../../shared/assert.ts';
import { localFiles } from '../catalogue/event-sources.ts';
import type { EventFile, NewEventFile } from '../file/event-file.ts';
import type { EventImport } from '../imports/queries.ts';
import { correctedSql, loadCorrections } from '../maintenance/corrections.ts';
import { type Corrections, countApps, readCorrections } from '../maintenance/queries.ts';
import { writeParts } from '../maintenance/rewrite.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { eventFilesSql } from '../parquet/read-files.ts';
import * as tables from '../parquet/tables.ts';
import { type AdoptedEvent, type RepeatedEvent, selectAliasesOfImport } from './queries.ts';
import { addFileSql, affectedSql, CREATE_TABLES, isUndoneSql } from './rows-sql.ts';

/** Without the import; correct up to `seq`. */
export type Replacement = { added: NewEventFile[]; seq: number };

const isoTime = (ms: number) => new Date(ms).toISOString();

export async function createTables(
  { connection }: Compactor,
  chunks: readonly number[],
  adopted: readonly AdoptedEvent[],
): Promise<void> {
  await tables.createTextTable(connection, tables.UNDONE_CHUNKS, { received_at: isoTime }, chunks);
  const columns = {
    key: ({ key }: AdoptedEvent) => key,
    received_at: ({ receivedAtMs }: AdoptedEvent) => isoTime(receivedAtMs),
  };
  await tables.createTextTable(connection, tables.UNDONE_ADOPTED, columns, adopted);
  for (const sql of CREATE_TABLES) await connection.run(sql);
}

export const loadRepeats = (
  { connection }: Compactor,
  repeats: readonly RepeatedEvent[],
): Promise<void> =>
  tables.createTextTable(connection, tables.UNDONE_REPEATS, { key: ({ key }) => key }, repeats);

async function loadDevices({ connection, sql }: Compactor, of: EventImport) {
  const aliases = await selectAliasesOfImport(sql, of);
  const id = ({ anonymousId }: { anonymousId: string }) => anonymousId;
  await tables.createTextTable(connection, tables.UNDONE_DEVICES, { id }, aliases);
  return aliases;
}

export type Examined = { isAffected: boolean; kept: number };

export async function examineFile(
  compactor: Compactor,
  of: EventImport,
  file: EventFile,
): Promise<Examined> {
  const { connection, sql, objects } = compactor;
  const corrections = await readCorrections(sql, [file.fileId], file.peopleSeq);
  await loadDevices(compactor, of);
  await loadCorrections(connection, corrections);
  const local = await localFiles(objects, [file]);
  const from = correctedSql(local, corrections);
  for (const statement of addFileSql(file.fileId, from, of.appId)) await connection.run(statement);
  const reader = await connection.runAndReadAll(affectedSql(eventFilesSql(local), of.appId));
  const { affected, kept } = onlyRow(reader.getRowObjects());
  return { isAffected: Number(affected) > 0, kept: Number(kept) };
}

function parted(corrections: Corrections, { appId }: EventImport, devices: readonly string[]) {
  const own = devices.map((id) => ({ appId, anonymousId: id, userId: id }));
  const isParted = new Set(devices);
  const others = corrections.aliases.filter(
    (alias) => alias.appId !== appId || !isParted.has(alias.anonymousId),
  );
  return { ...corrections, aliases: [...others, ...own] };
}

export async function writeReplacement(
  compactor: Compactor,
  of: EventImport,
  file: EventFile,
): Promise<Replacement> {
  const { connection, sql, objects } = compactor;
  const { fileId } = file;
  const read = await readCorrections(sql, [fileId], file.peopleSeq);
  // After the corrections, which may hold a new alias of the import.
  const devices = (await loadDevices(compactor, of)).map(({ anonymousId }) => anonymousId);
  const corrections = parted(read, of, devices);
  await loadCorrections(connection, corrections);
  const rows = correctedSql(await localFiles(objects, [file]), corrections);
  const from = `(FROM ${rows} e WHERE NOT ${isUndoneSql(of.appId)})`;
  const isOfMany = (await countApps(sql, fileId)) > 1;
  const { level, day } = isOfMany ? { level: 0 as const, day: null } : file;
  return { added: await writeParts(compactor, [{ from, level, day }], [fileId]), seq: read.seq };
}
