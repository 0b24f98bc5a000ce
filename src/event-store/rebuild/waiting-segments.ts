import { readFile } from 'node:fs/promises';
import { localFiles } from '../catalogue/event-sources.ts';
import { catalogued } from '../catalogue/queries.ts';
import type { EventRow } from '../event/columns.ts';
import { normalizeBatch } from '../event/normalize.ts';
import { scanRecords } from '../log/record.ts';
import { listSegments } from '../log/segments.ts';
import { SEGMENT_COPIES, toSegmentId } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { createTextTable, REBUILT_WAITING } from '../parquet/tables.ts';
import type { Received } from './queries.ts';
import { storedSegmentsSql } from './rows-sql.ts';

type WaitingRow = { segmentId: string; row: EventRow };
type Segment = { segmentId: string; read: () => Promise<Uint8Array | null> };

/** Rows compared at once; bounds memory. */
const MAX_ROWS = 200_000;

async function listWaiting({ logDir, objects }: Compactor): Promise<Segment[]> {
  const here = await listSegments(logDir);
  const copies = objects.isRemote ? await objects.list(SEGMENT_COPIES) : [];
  const segments = new Map<string, Segment>([
    ...copies.map(({ key }): [string, Segment] => {
      const segmentId = toSegmentId(key);
      return [segmentId, { segmentId, read: () => objects.getBytes(key) }];
    }),
    ...here.map(({ segmentId, path }): [string, Segment] => [
      segmentId,
      { segmentId, read: () => readFile(path) },
    ]),
  ]);
  return [...segments.values()];
}

/** The compactor quarantines and reports the rest. */
function rowsOfSegment(segmentId: string, bytes: Uint8Array): WaitingRow[] {
  return scanRecords(bytes).records.flatMap((record) => {
    try {
      return normalizeBatch(record).map((row) => ({ segmentId, row }));
    } catch {
      return [];
    }
  });
}

function waitingFiles(waiting: readonly WaitingRow[], files: readonly Received[]): Received[] {
  let [firstMs, lastMs] = [Infinity, -Infinity];
  for (const { row } of waiting) {
    firstMs = Math.min(firstMs, row.receivedAtUs / 1_000);
    lastMs = Math.max(lastMs, row.receivedAtUs / 1_000);
  }
  return files.filter(
    ({ minReceivedAt, maxReceivedAt }) =>
      minReceivedAt.getTime() <= lastMs && firstMs <= maxReceivedAt.getTime(),
  );
}

async function storedAmong(
  { connection, objects }: Compactor,
  waiting: readonly WaitingRow[],
  among: readonly Received[],
): Promise<string[]> {
  const files = await localFiles(objects, waitingFiles(waiting, among));
  if (files.length === 0) return [];
  const columns = {
    segment_id: ({ segmentId }: WaitingRow) => segmentId,
    app_id: ({ row }: WaitingRow) => row.appId,
    received_us: ({ row }: WaitingRow) => String(row.receivedAtUs),
    arrival: ({ row }: WaitingRow) => String(row.arrival),
    batch_index: ({ row }: WaitingRow) => String(row.batchIndex),
    anonymous_id: ({ row }: WaitingRow) => row.anonymousId,
    name: ({ row }: WaitingRow) => row.name,
  };
  await createTextTable(connection, REBUILT_WAITING, columns, waiting);
  const reader = await connection.runAndReadAll(storedSegmentsSql(REBUILT_WAITING, files));
  await connection.run(`DROP TABLE ${REBUILT_WAITING}`);
  return reader.getRowObjects().map(({ id }) => String(id));
}

export async function findStoredSegments(
  compactor: Compactor,
  files: readonly Received[],
): Promise<string[]> {
  const segments = await listWaiting(compactor);
  const done = await catalogued(
    compactor.sql,
    segments.map(({ segmentId }) => segmentId),
  );
  const stored: string[] = [];
  let waiting: WaitingRow[] = [];
  const compare = async () => {
    if (waiting.length > 0) {
      stored.push(...(await storedAmong(compactor, waiting, files)));
    }
    waiting = [];
  };
  for (const { segmentId, read } of segments) {
    if (done.has(segmentId)) continue;
    const bytes = await read();
    if (bytes !== null) waiting.push(...rowsOfSegment(segmentId, bytes));
    if (waiting.length >= MAX_ROWS) await compare();
  }
  await compare();
  return stored;
}
