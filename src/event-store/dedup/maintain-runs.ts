import { writeFile } from 'node:fs/promises';
import { newId } from '../../shared/ids.ts';
import { insertRun, liveRuns, lockCatalogue, retireRuns } from '../catalogue/queries.ts';
import type { NewKeyRun } from '../catalogue/types.ts';
import type { EventRow } from '../event/columns.ts';
import { keyRunName } from '../names.ts';
import type { EventStore } from '../store.ts';
import { KeyRun, mergeKeyRuns, packKeys } from './key-run.ts';
import { expiredRuns, runsToMerge } from './plan.ts';

type Span = { minMs: number; maxMs: number };

/** Puts the run that `writeKeys` makes into the object store; it returns how many keys it wrote. */
async function addRun(
  { objects, clock }: Omit<EventStore, 'sql'>,
  { minMs, maxMs }: Span,
  writeKeys: (path: string) => Promise<number>,
): Promise<NewKeyRun> {
  const runId = newId('run');
  const scratch = objects.scratchPath(`${runId}.keys`);
  const keys = await writeKeys(scratch);
  const path = keyRunName(runId, clock());
  await objects.adopt(scratch, path);
  return { runId, path, keys, minReceivedAt: new Date(minMs), maxReceivedAt: new Date(maxMs) };
}

/** The identities of these rows as one run; null when none of them has one. */
export async function writeKeyRun(
  store: EventStore,
  rows: readonly EventRow[],
): Promise<NewKeyRun | null> {
  const hexKeys: string[] = [];
  const span: Span = { minMs: Infinity, maxMs: -Infinity };
  for (const { key, receivedAtUs } of rows) {
    if (key === null) continue;
    hexKeys.push(key);
    span.minMs = Math.min(span.minMs, receivedAtUs / 1_000);
    span.maxMs = Math.max(span.maxMs, receivedAtUs / 1_000);
  }
  if (hexKeys.length === 0) return null;
  return addRun(store, span, async (path) => {
    const run = KeyRun.of(packKeys(hexKeys));
    await writeFile(path, run.bytes, { mode: 0o600 });
    return run.count;
  });
}

/** Retires expired runs and merges one group; true when it merged. */
export async function maintainRuns(store: EventStore): Promise<boolean> {
  const { sql, objects, clock } = store;
  const runs = await liveRuns(sql);
  const expired = new Set(expiredRuns(runs, clock().getTime()).map((run) => run.runId));
  if (expired.size > 0) await sql.begin((tx) => retireRuns(tx, [...expired]));
  const group = runsToMerge(runs.filter((run) => !expired.has(run.runId)));
  if (group.length === 0) return false;

  const opened = await Promise.all(
    group.map(async ({ path }) => KeyRun.open(await objects.localPath(path))),
  );
  const span = {
    minMs: Math.min(...group.map((run) => run.minReceivedAt.getTime())),
    maxMs: Math.max(...group.map((run) => run.maxReceivedAt.getTime())),
  };
  const merged = await addRun(store, span, (path) => mergeKeyRuns(opened, path));
  const groupIds = group.map((run) => run.runId);
  await sql.begin(async (tx) => {
    await lockCatalogue(tx);
    await retireRuns(tx, groupIds);
    await insertRun(tx, merged, Math.max(...group.map((run) => run.seq)));
  });
  return true;
}
