import type { Deps } from '../context.ts';
import { openEngine } from '../event-store/read.ts';
import { DAY_MS, HOUR_MS } from '../shared/time.ts';
import { besidePool } from '../storage/postgres.ts';
import { spillFolder } from '../storage/spill-folder.ts';
import { createCooldowns } from './cooldowns.ts';
import { LAKE_OBJECTS } from './names.ts';
import { ForeignWriter, publishLake } from './publish.ts';
import type { Publisher } from './publisher.ts';
import * as queries from './queries.ts';

/** Under the publisher lock. Null while another process publishes. */
export async function sweepLake({
  sql,
  objects,
}: Pick<Publisher, 'sql' | 'objects'>): Promise<number | null> {
  return besidePool(sql).begin(async (tx) => {
    if ((await queries.takePublisher(tx)) === null) return null;
    const needed = await queries.reachableObjects(tx);
    let removed = 0;
    for (const { key } of await objects.list(LAKE_OBJECTS)) {
      if (needed.has(key)) continue;
      await objects.remove(key);
      removed += 1;
    }
    return removed;
  });
}

/** For the personal data in it, after a day: another host may have `LAKE=on`. */
async function withdrawLake(publisher: Pick<Publisher, 'sql' | 'objects'>): Promise<void> {
  const isWithdrawn = await besidePool(publisher.sql).begin(async (tx) => {
    // A first publication elsewhere keeps notes added meanwhile.
    const turn = await queries.takePublisher(tx);
    if (!turn) return false;
    const tables = await queries.selectTables(tx);
    if (tables.length > 0) {
      // An unfinished first publication shows only in its tables.
      const lastMs =
        (await queries.publishedAt(tx))?.getTime() ??
        Math.max(...tables.map(({ updatedMs }) => updatedMs));
      if (turn.nowMs - lastMs < DAY_MS) return false;
    }
    for (const { name } of tables) await queries.deleteTable(tx, name);
    await queries.deleteNotes(tx);
    return tables.length > 0;
  });
  if (isWithdrawn) await sweepLake(publisher);
}

const ENGINE_MEMORY_MB = 256;
/** Listing `lake/` is expensive on S3. */
const SWEEP_EVERY_MS = HOUR_MS;

function openPublisher(
  deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
): Publisher {
  const { config, log, objects, sql } = deps;
  const tempDir = spillFolder(config.dataDir, 'lake');
  let opened: ReturnType<Publisher['duck']> | undefined;
  const duck = () => {
    opened ??= openEngine({ memoryMb: ENGINE_MEMORY_MB, threads: 1, tempDir });
    return opened;
  };
  const rests = createCooldowns(() => deps.clock().getTime());
  return { sql, objects, log, eventsUrl: config.events.url, duck, rests };
}

/** With `LAKE=off` withdraws an abandoned lake. */
export function lakeRounds(
  deps: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
): () => Promise<boolean> {
  const publisher = openPublisher(deps);
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const publish = async () => {
    await publishLake(publisher);
    const nowMs = deps.clock().getTime();
    if (nowMs - sweptAtMs < SWEEP_EVERY_MS) return;
    await sweepLake(publisher);
    sweptAtMs = nowMs;
  };
  return async () => {
    try {
      await (deps.config.lake.isOn ? publish() : withdrawLake(publisher));
    } catch (thrown) {
      if (!(thrown instanceof ForeignWriter)) throw thrown;
      deps.log.error(thrown.message);
    }
    return false;
  };
}
