import { rm } from 'node:fs/promises';
import {
  advanceCatalogue,
  CatalogueMoved,
  catalogued,
  insertFile,
  insertRun,
  insertSegments,
  liveRuns,
  readSeq,
} from '../catalogue/queries.ts';
import type { NewEventFile, NewKeyRun } from '../catalogue/types.ts';
import { writeKeyRun } from '../dedup/maintain-runs.ts';
import { EVENT_COLUMN_NAMES, type EventRow } from '../event/columns.ts';
import { type Resolved, resolveRows } from '../event/resolve.ts';
import { deleteShippedCopies } from '../hosts/adopt.ts';
import { forgetOwners } from '../hosts/queries.ts';
import { countIngestion } from '../intake/counts.ts';
import { addIngestion } from '../intake/queries.ts';
import { forgetOwner, isOwnerAlive } from '../log/owner.ts';
import { listSegments, type SegmentFile, sealedSegments } from '../log/segments.ts';
import { withRows } from '../parquet/load-rows.ts';
import { writeEventFile } from '../parquet/write-file.ts';
import { eraseDevices } from '../people/erasure-queries.ts';
import { readKnownPeople } from '../people/known.ts';
import { insertAliases } from '../people/queries.ts';
import type { Compactor } from '../store.ts';
import { nextGroup, readGroup } from './read-segments.ts';

export type CompactionResult = {
  segments: number;
  events: number;
  /** True when there is more to do at once. */
  more: boolean;
};

const MAX_ATTEMPTS = 5;
const NOTHING: CompactionResult = { segments: 0, events: 0, more: false };

/** The rows of a group of segments in order of receipt, and what became of them. */
type Batch = { segmentIds: string[]; received: EventRow[] };
type Written = { file: NewEventFile | null; run: NewKeyRun | null };

/** Deduplicates the rows and settles their people, against everything that is catalogued. */
async function resolve({ sql, keys }: Compactor, received: readonly EventRow[]): Promise<Resolved> {
  const [runs, people] = await Promise.all([liveRuns(sql), readKnownPeople(sql, received)]);
  keys.retain(runs);
  return resolveRows(received, { ...people, keys: await keys.known(received, runs) });
}

/** One Parquet file and one key run; neither counts before the catalogue names it. */
async function write(compactor: Compactor, rows: readonly EventRow[]): Promise<Written> {
  if (rows.length === 0) return { file: null, run: null };
  const file = await withRows(compactor.connection, rows, EVENT_COLUMN_NAMES, (from) =>
    writeEventFile(compactor, { from, level: 0, day: null }),
  );
  return { file, run: await writeKeyRun(compactor, rows) };
}

async function commit(
  { sql, objects }: Compactor,
  seq: number,
  { segmentIds, received }: Batch,
  { aliases, duplicates, erasedDevices }: Resolved,
  { file, run }: Written,
): Promise<void> {
  try {
    await sql.begin(async (tx) => {
      const next = await advanceCatalogue(tx, seq);
      await insertSegments(tx, segmentIds, next);
      if (file) await insertFile(tx, file, next);
      if (run) await insertRun(tx, run, next);
      await insertAliases(tx, aliases, next);
      await eraseDevices(tx, erasedDevices, next);
      await addIngestion(tx, countIngestion(received, duplicates));
    });
  } catch (error) {
    // Not when the database merely did not answer: the commit may have happened.
    if (error instanceof CatalogueMoved) {
      if (file) await objects.remove(file.path);
      if (run) await objects.remove(run.path);
    }
    throw error;
  }
}

/**
 * One optimistic attempt: whatever is read after `seq` still holds at the commit, or `CatalogueMoved`
 * is thrown. Null when another compactor has catalogued one of the segments.
 */
async function attempt(compactor: Compactor, batch: Batch): Promise<Resolved | null> {
  const seq = await readSeq(compactor.sql);
  if ((await catalogued(compactor.sql, batch.segmentIds)).size > 0) return null;
  const resolved = await resolve(compactor, batch.received);
  const written = await write(compactor, resolved.rows);
  await commit(compactor, seq, batch, resolved, written);
  return resolved;
}

async function attemptUntilCommitted(compactor: Compactor, batch: Batch): Promise<Resolved | null> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(compactor, batch);
    } catch (error) {
      if (!(error instanceof CatalogueMoved) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Deletes segments that are catalogued, with their copies in the bucket. */
async function deleteSegments(
  compactor: Compactor,
  segments: readonly SegmentFile[],
): Promise<void> {
  for (const segment of segments) await rm(segment.path, { force: true });
  await deleteShippedCopies(
    compactor,
    segments.map(({ segmentId }) => segmentId),
  );
}

/** Removes the claims of dead processes that left no segment behind. */
async function forgetDeadOwners(
  { logDir, sql }: Compactor,
  owners: ReadonlySet<string>,
): Promise<void> {
  const writing = new Set((await listSegments(logDir)).map((segment) => segment.ownerId));
  for (const ownerId of owners) {
    if (writing.has(ownerId) || (await isOwnerAlive(logDir, ownerId))) continue;
    await forgetOwners(sql, [ownerId]);
    await forgetOwner(logDir, ownerId);
  }
}

/**
 * Turns the oldest sealed segments of this host into one Parquet file, its keys and its aliases in
 * one transaction, then deletes them. Idempotent: a crash at any point only makes it run again.
 */
export async function compactOnce(compactor: Compactor): Promise<CompactionResult> {
  const sealed = await sealedSegments(compactor.logDir);
  if (sealed.length === 0) return NOTHING;
  const sealedIds = sealed.map((segment) => segment.segmentId);
  const done = await catalogued(compactor.sql, sealedIds);
  const isDone = ({ segmentId }: SegmentFile) => done.has(segmentId);
  await deleteSegments(compactor, sealed.filter(isDone));
  const waiting = sealed.filter((segment) => !isDone(segment));
  const group = await nextGroup(waiting);
  if (group.length === 0) return NOTHING;
  const segmentIds = group.map((segment) => segment.segmentId);
  const received = await readGroup(group, compactor.log);
  const resolved = await attemptUntilCommitted(compactor, { segmentIds, received });
  if (resolved === null) return { ...NOTHING, more: true };
  await deleteSegments(compactor, group);
  await forgetDeadOwners(compactor, new Set(group.map((segment) => segment.ownerId)));
  return {
    segments: group.length,
    events: resolved.rows.length,
    more: waiting.length > group.length,
  };
}
