import { rm } from 'node:fs/promises';
import { at } from '../../shared/assert.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import type { Tx } from '../../storage/postgres.ts';
import * as catalogue from '../catalogue/queries.ts';
import { EVENT_COLUMN_NAMES, type EventRow, isReserved } from '../event/columns.ts';
import { type Resolved, resolveRows } from '../event/resolve.ts';
import type { NewEventFile, NewKeyRun } from '../file/event-file.ts';
import { deleteShippedCopies } from '../hosts/adopt.ts';
import { noteCommit } from '../hosts/last-commit.ts';
import { deleteOwners } from '../hosts/queries.ts';
import type { ImportedRows } from '../imports/imported-rows.ts';
import { type ImportRepeat, insertImportRepeats, readImportedRows } from '../imports/queries.ts';
import { countIngestion } from '../intake/counts.ts';
import { addIngestion } from '../intake/queries.ts';
import { deleteClaim, isOwnerAlive } from '../log/owner.ts';
import { listSegments, type SegmentFile, sealedSegments } from '../log/segments.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { withRows } from '../parquet/load-rows.ts';
import { writeEventFile } from '../parquet/write-file.ts';
import { eraseDevices } from '../people/erasure-queries.ts';
import { readKnownPeople } from '../people/known.ts';
import { insertAliases } from '../people/queries.ts';
import { findImportRepeats } from './import-repeats.ts';
import { writeKeyRun } from './maintain-runs.ts';
import { type ReadAhead, readNext } from './read-ahead.ts';
import { isOutdated } from './validate.ts';

export type CompactionResult = {
  segments: number;
  events: number;
  more: boolean;
};

const MAX_ATTEMPTS = 5;
const DELETIONS_AT_ONCE = 8;
const NOTHING: CompactionResult = { segments: 0, events: 0, more: false };

type Batch = {
  segmentIds: string[];
  received: EventRow[];
  onWriting: () => void;
};

export type Prepared = {
  seq: number;
  resolved: Resolved;
  file: NewEventFile | null;
  runs: NewKeyRun[];
  imported: ImportedRows;
  repeats: ImportRepeat[];
};

type Understood = Pick<Prepared, 'resolved' | 'imported' | 'repeats'>;

async function resolve(
  { sql, keys }: Compactor,
  received: readonly EventRow[],
): Promise<Understood> {
  const [runs, people, imported] = await Promise.all([
    catalogue.liveRuns(sql),
    readKnownPeople(sql, received),
    readImportedRows(sql, received),
  ]);
  keys.retain(runs);
  const known = await keys.known(received, runs);
  const resolved = resolveRows(received, { ...people, isUndone: imported.isUndone, keys: known });
  const repeats = await findImportRepeats(keys, { resolved, imported, runs });
  return { resolved, imported, repeats };
}

async function writeKeyRuns(
  compactor: Compactor,
  { resolved, imported }: Understood,
): Promise<NewKeyRun[]> {
  const runs: NewKeyRun[] = [];
  for (const [importId, rows] of Map.groupBy(resolved.rows, imported.importOf)) {
    const run = await writeKeyRun(compactor, rows, importId ?? null);
    if (run) runs.push(run);
  }
  return runs;
}

async function awaitBoth(
  { objects }: Compactor,
  written: Promise<NewEventFile | null>,
  keys: Promise<NewKeyRun[]>,
): Promise<[NewEventFile | null, NewKeyRun[]]> {
  const [file, runs] = await Promise.allSettled([written, keys]);
  if (runs.status === 'rejected' && file.status === 'fulfilled' && file.value) {
    await objects.remove(file.value.path);
  }
  return Promise.all([written, keys]);
}

async function prepare(compactor: Compactor, { received, onWriting }: Batch): Promise<Prepared> {
  const seq = await catalogue.readSeq(compactor.sql);
  const understood = await resolve(compactor, received);
  const { rows } = understood.resolved;
  if (rows.length === 0) return { seq, ...understood, file: null, runs: [] };
  const [file, runs] = await withRows(compactor.connection, rows, EVENT_COLUMN_NAMES, (from) => {
    const written = writeEventFile(compactor, { from, level: 0, day: null });
    const keys = writeKeyRuns(compactor, understood);
    onWriting();
    return awaitBoth(compactor, written, keys);
  });
  return { seq, ...understood, file, runs };
}

async function discard({ objects }: Compactor, { file, runs }: Prepared): Promise<void> {
  if (file) await objects.remove(file.path);
  for (const { path } of runs) await objects.remove(path);
}

/** Without the service's own events and history. */
const newRows = ({ resolved, imported }: Prepared): EventRow[] =>
  resolved.rows.filter((row) => !isReserved(row.name) && imported.importOf(row) === undefined);

async function insertAll(
  tx: Tx,
  { segmentIds, received }: Batch,
  { seq, resolved, file, runs, imported, repeats }: Prepared,
  current: number,
): Promise<void> {
  const next = await catalogue.advanceCatalogue(tx);
  await catalogue.insertSegments(tx, segmentIds, next);
  await insertAliases(tx, resolved.aliases, next);
  // Aliases committed in between are late for this file.
  if (file) await catalogue.insertFile(tx, file, current === seq ? next : seq);
  for (const run of runs) await catalogue.insertRun(tx, run, next);
  await insertImportRepeats(tx, repeats);
  await eraseDevices(tx, resolved.erasedDevices, next);
  await addIngestion(tx, countIngestion(received, resolved.duplicates, imported));
}

/** Slow lookups happen before the lock. Throws `CatalogueMoved` on conflict. */
async function validatedSeq(compactor: Compactor, prepared: Prepared): Promise<number> {
  const { sql } = compactor;
  const seq = await catalogue.readSeq(sql);
  if (seq !== prepared.seq && (await isOutdated(sql, compactor, prepared))) {
    throw new catalogue.CatalogueMoved();
  }
  return seq;
}

/** False when another compactor was first. Throws `CatalogueMoved` when rows are outdated. */
async function commit(compactor: Compactor, batch: Batch, prepared: Prepared): Promise<boolean> {
  try {
    const seq = await validatedSeq(compactor, prepared);
    const isCommitted = await compactor.sql.begin(async (tx) => {
      const current = await catalogue.lockCatalogue(tx);
      if ((await catalogue.catalogued(tx, batch.segmentIds)).size > 0) return false;
      if (current !== seq && (await isOutdated(tx, compactor, { ...prepared, seq }))) {
        throw new catalogue.CatalogueMoved();
      }
      await insertAll(tx, batch, prepared, current);
      await compactor.onStored?.(tx, newRows(prepared));
      return true;
    });
    if (!isCommitted) await discard(compactor, prepared);
    return isCommitted;
  } catch (error) {
    if (catalogue.isUncommitted(error)) await discard(compactor, prepared);
    throw error;
  }
}

/** Null when another compactor catalogued a segment. */
async function compactBatch(compactor: Compactor, batch: Batch): Promise<Resolved | null> {
  for (let attempts = 1; ; attempts += 1) {
    if ((await catalogue.catalogued(compactor.sql, batch.segmentIds)).size > 0) return null;
    const prepared = await prepare(compactor, batch);
    try {
      return (await commit(compactor, batch, prepared)) ? prepared.resolved : null;
    } catch (error) {
      if (!(error instanceof catalogue.CatalogueMoved) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

async function deleteSegments(
  compactor: Compactor,
  segments: readonly SegmentFile[],
): Promise<void> {
  const limited = limitConcurrency(DELETIONS_AT_ONCE);
  await Promise.all(segments.map(({ path }) => limited(() => rm(path, { force: true }))));
  await deleteShippedCopies(
    compactor,
    segments.map(({ segmentId }) => segmentId),
  );
}

async function deleteDeadOwners(
  { logDir, sql }: Compactor,
  owners: ReadonlySet<string>,
): Promise<void> {
  const writing = new Set((await listSegments(logDir)).map((segment) => segment.ownerId));
  for (const ownerId of owners) {
    if (writing.has(ownerId) || (await isOwnerAlive(logDir, ownerId))) continue;
    await deleteOwners(sql, [ownerId]);
    await deleteClaim(logDir, ownerId);
  }
}

/** In one transaction. Idempotent across crashes. */
export async function compactOnce(
  compactor: Compactor,
  ahead: ReadAhead | null = null,
): Promise<CompactionResult> {
  const sealed = await sealedSegments(compactor.logDir);
  if (sealed.length === 0) return NOTHING;
  const sealedIds = sealed.map((segment) => segment.segmentId);
  const done = await catalogue.catalogued(compactor.sql, sealedIds);
  const isDone = ({ segmentId }: SegmentFile) => done.has(segmentId);
  await deleteSegments(compactor, sealed.filter(isDone));
  const waiting = sealed.filter((segment) => !isDone(segment));
  const group = await (ahead?.take(waiting) ?? readNext(waiting, compactor));
  if (group === null) return NOTHING;
  const { segments, received } = group;
  const segmentIds = segments.map((segment) => segment.segmentId);
  const taken = new Set(segmentIds);
  const rest = waiting.filter(({ segmentId }) => !taken.has(segmentId));
  const onWriting = () => ahead?.begin(rest);
  const resolved = await compactBatch(compactor, { segmentIds, received, onWriting });
  if (resolved === null) return { ...NOTHING, more: true };
  await noteCommit(compactor, at(segmentIds, 0));
  await deleteSegments(compactor, segments);
  await deleteDeadOwners(compactor, new Set(segments.map((segment) => segment.ownerId)));
  return { segments: segments.length, events: resolved.rows.length, more: rest.length > 0 };
}
