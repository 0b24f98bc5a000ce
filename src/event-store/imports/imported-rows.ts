import type { EventRow } from '../event/columns.ts';
import { isImportedArrival } from '../log/arrival.ts';

export type ImportChunk = {
  appId: string;
  receivedAtMs: number;
  importId: string;
  isUndone: boolean;
};

export type ChunkKey = Pick<ImportChunk, 'appId' | 'receivedAtMs'>;

export type ReceivedRow = Pick<EventRow, 'appId' | 'arrival' | 'receivedAtUs'>;

export type ImportedRows = {
  importOf: (row: ReceivedRow) => string | undefined;
  isUndone: (row: ReceivedRow) => boolean;
};

const toKey = ({ appId, receivedAtMs }: ChunkKey) => `${appId} ${receivedAtMs}`;

const toChunkKey = ({ appId, receivedAtUs }: ReceivedRow): ChunkKey => ({
  appId,
  receivedAtMs: receivedAtUs / 1_000,
});

export function toChunkKeys(rows: readonly ReceivedRow[]): ChunkKey[] {
  const keys = rows.filter(({ arrival }) => isImportedArrival(arrival)).map(toChunkKey);
  return [...new Map(keys.map((key) => [toKey(key), key])).values()];
}

export function importedRows(chunks: readonly ImportChunk[]): ImportedRows {
  const byKey = new Map(chunks.map((chunk) => [toKey(chunk), chunk]));
  const chunkOf = (row: ReceivedRow) =>
    byKey.size > 0 && isImportedArrival(row.arrival)
      ? byKey.get(toKey(toChunkKey(row)))
      : undefined;
  return {
    importOf: (row) => chunkOf(row)?.importId,
    isUndone: (row) => chunkOf(row)?.isUndone ?? false,
  };
}

/** `receivedAt`: instants of the app's undone imports. */
export function undoneRows(appId: string, receivedAt: readonly Date[]): ImportedRows['isUndone'] {
  const undone = { appId, importId: '', isUndone: true };
  return importedRows(receivedAt.map((at) => ({ ...undone, receivedAtMs: at.getTime() }))).isUndone;
}
