import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Sql } from '../../storage/postgres.ts';
import { insertRun, liveRuns, lockCatalogue, retireRuns } from '../catalogue/queries.ts';
import { KeyRun, mergeKeyRuns } from './key-run.ts';
import { expiredRuns, runsToMerge } from './plan.ts';

export type RunKeeping = { sql: Sql; objects: ObjectStore; clock: Clock };

/** Drops the runs nobody needs any more and merges one group; true when it merged. */
export async function keepRuns(c: RunKeeping): Promise<boolean> {
  const runs = await liveRuns(c.sql);
  const expired = expiredRuns(runs, c.clock().getTime());
  const runIds = expired.map((run) => run.runId);
  if (expired.length > 0) await c.sql.begin((tx) => retireRuns(tx, runIds));
  const group = runsToMerge(runs.filter((run) => !runIds.includes(run.runId)));
  if (group.length === 0) return false;

  const runId = newId('run');
  const scratch = c.objects.scratchPath(`${runId}.keys`);
  const opened = await Promise.all(
    group.map(async (run) => KeyRun.open(await c.objects.localPath(run.path))),
  );
  const keys = await mergeKeyRuns(opened, scratch);
  const path = `events/keys/${c.clock().toISOString().slice(0, 10)}/${runId}.keys`;
  await c.objects.adopt(scratch, path);
  const merged = {
    runId,
    path,
    keys,
    minReceivedAt: new Date(Math.min(...group.map((run) => run.minReceivedAt.getTime()))),
    maxReceivedAt: new Date(Math.max(...group.map((run) => run.maxReceivedAt.getTime()))),
  };
  await c.sql.begin(async (tx) => {
    await lockCatalogue(tx);
    await retireRuns(
      tx,
      group.map((run) => run.runId),
    );
    await insertRun(tx, merged, Math.max(...group.map((run) => run.seq)));
  });
  return true;
}
