import type { EventRow } from '../event/columns.ts';
import { isImportedArrival } from '../log/arrival.ts';

export type ImportChunk = {
  appId: string;
  receivedAtMs: number;
  importId: string;
  isUndone: boolean;
};

export type ChunkKey = Pick<ImportChunk, 'appId' | 'receivedAtMs'>;

export type ImportedRows = {
  importOf: (row: EventRow) => string | undefined;
  isUndone: (row: EventRow) => boolean;
};

const toKey = ({ appId, receivedAtMs }: ChunkKey) => `${appId} ${receivedAtMs}`;

const toChunkKey = ({ appId, receivedAtUs }: EventRow): ChunkKey => ({
  appId,
  receivedAtMs: receivedAtUs / 1_000,
});

export function toChunkKeys(rows: readonly EventRow[]): ChunkKey[] {
  const keys = rows.filter(({ arrival }) => isImportedArrival(arrival)).map(toChunkKey);
  return [...new Map(keys.map((key) => [toKey(key), key])).values()];
}

export function importedRows(chunks: readonly ImportChunk[]): ImportedRows {
  const byKey = new Map(chunks.map((chunk) => [toKey(chunk), chunk]));
  const chunkOf = (row: EventRow) =>
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
