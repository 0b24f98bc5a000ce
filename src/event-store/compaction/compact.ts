import { rm, writeFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Sql } from '../../storage/postgres.ts';
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
import { EVENT_COLUMN_NAMES, type EventRow } from '../columns.ts';
import type { KeyIndex } from '../dedup/key-index.ts';
import { KEY_BYTES, packKeys } from '../dedup/key-run.ts';
import { countIngestion } from '../ingestion/counts.ts';
import { addIngestion } from '../ingestion/queries.ts';
import { forgetOwner, isOwnerAlive } from '../log/owner.ts';
import { listSegments, type SegmentFile, sealedSegments } from '../log/segments.ts';
import { withRows } from '../parquet/load-rows.ts';
import { writeEventFile } from '../parquet/write-file.ts';
import { knownPeople } from '../people/known.ts';
import { insertLinks } from '../people/queries.ts';
import type { Reporter } from '../report.ts';
import { type Resolved, resolveRows } from '../resolve.ts';
import { unship } from '../shipping/adopt.ts';
import { collectRows, firstGroup } from './collect.ts';

export type Compaction = {
  sql: Sql;
  log: Reporter;
  clock: Clock;
  objects: ObjectStore;
  connection: DuckDBConnection;
  keys: KeyIndex;
  logDir: string;
};

export type CompactionResult = {
  segments: number;
  events: number;
  duplicates: number;
  /** True when there is more to do at once. */
  more: boolean;
};

const MAX_TRIES = 5;
const NOTHING: CompactionResult = { segments: 0, events: 0, duplicates: 0, more: false };

async function removeSegments(c: Compaction, segments: readonly SegmentFile[]): Promise<void> {
  for (const segment of segments) await rm(segment.path, { force: true });
  await unship(c, segments);
}

/** Claims of processes that are gone and left nothing behind. */
async function forgetDeadOwners(dir: string, owners: ReadonlySet<string>): Promise<void> {
  const left = new Set((await listSegments(dir)).map((segment) => segment.ownerId));
  for (const ownerId of owners) {
    if (!left.has(ownerId) && !(await isOwnerAlive(dir, ownerId))) await forgetOwner(dir, ownerId);
  }
}

async function writeRows(c: Compaction, rows: readonly EventRow[]): Promise<NewEventFile | null> {
  if (rows.length === 0) return null;
  const { connection, objects } = c;
  return withRows(connection, rows, EVENT_COLUMN_NAMES, (from) =>
    writeEventFile({ connection, objects, from, level: 0, day: null, createdAt: c.clock() }),
  );
}

async function writeKeys(c: Compaction, rows: readonly EventRow[]): Promise<NewKeyRun | null> {
  const keyed = rows.filter((row) => row.key !== null);
  const [first] = keyed;
  if (!first) return null;
  const bytes = packKeys(keyed.map((row) => row.key ?? ''));
  const runId = newId('run');
  const scratch = c.objects.scratchPath(`${runId}.keys`);
  await writeFile(scratch, bytes, { mode: 0o600 });
  const path = `events/keys/${c.clock().toISOString().slice(0, 10)}/${runId}.keys`;
  await c.objects.adopt(scratch, path);
  const received = keyed.map((row) => row.receivedAtUs / 1_000);
  return {
    runId,
    path,
    keys: bytes.length / KEY_BYTES,
    minReceivedAt: new Date(received.reduce((a, b) => Math.min(a, b))),
    maxReceivedAt: new Date(received.reduce((a, b) => Math.max(a, b))),
  };
}

async function resolveAgainst(c: Compaction, rows: readonly EventRow[]): Promise<Resolved> {
  const [runs, people] = await Promise.all([liveRuns(c.sql), knownPeople(c.sql, rows)]);
  c.keys.retain(runs);
  const hexKeys = rows.flatMap((row) => (row.key === null ? [] : [row.key]));
  return resolveRows(rows, { ...people, keys: await c.keys.known(hexKeys, runs) });
}

/**
 * One attempt: everything read after the number still holds at the commit, or it is repeated. Null
 * when another compactor has some of these segments in the catalogue already.
 */
async function attempt(
  c: Compaction,
  group: readonly SegmentFile[],
  received: readonly EventRow[],
): Promise<Resolved | null> {
  const seq = await readSeq(c.sql);
  const segmentIds = group.map((segment) => segment.segmentId);
  if ((await catalogued(c.sql, segmentIds)).size > 0) return null;
  const resolved = await resolveAgainst(c, received);
  const file = await writeRows(c, resolved.rows);
  const run = await writeKeys(c, resolved.rows);
  try {
    await c.sql.begin(async (tx) => {
      const next = await advanceCatalogue(tx, seq);
      await insertSegments(tx, segmentIds, next);
      if (file) await insertFile(tx, file, next);
      if (run) await insertRun(tx, run, next);
      await insertLinks(tx, resolved.links, next);
      await addIngestion(tx, countIngestion(received, resolved.duplicates));
    });
  } catch (error) {
    // Not when the database merely did not answer: the commit may have happened.
    if (error instanceof CatalogueMoved) {
      if (file) await c.objects.remove(file.path);
      if (run) await c.objects.remove(run.path);
    }
    throw error;
  }
  return resolved;
}

async function commitGroup(c: Compaction, group: readonly SegmentFile[]): Promise<Resolved | null> {
  const received = await collectRows(group, c.log);
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(c, group, received);
    } catch (error) {
      if (!(error instanceof CatalogueMoved) || tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * Turns the oldest sealed segments of this host into one Parquet file, its keys and its people, in
 * one transaction, and removes them. Repeating it after a crash at any point changes nothing.
 */
export async function compactOnce(c: Compaction): Promise<CompactionResult> {
  const sealed = await sealedSegments(c.logDir);
  if (sealed.length === 0) return NOTHING;
  const done = await catalogued(
    c.sql,
    sealed.map((segment) => segment.segmentId),
  );
  await removeSegments(
    c,
    sealed.filter((segment) => done.has(segment.segmentId)),
  );
  const waiting = sealed.filter((segment) => !done.has(segment.segmentId));
  const group = await firstGroup(waiting);
  if (group.length === 0) return NOTHING;
  const resolved = await commitGroup(c, group);
  if (resolved === null) return { ...NOTHING, more: true };
  await removeSegments(c, group);
  await forgetDeadOwners(c.logDir, new Set(group.map((segment) => segment.ownerId)));
  return {
    segments: group.length,
    events: resolved.rows.length,
    duplicates: resolved.duplicates.length,
    more: waiting.length > group.length,
  };
}
