import { besidePool } from '../storage/postgres.ts';
import { LAKE_OBJECTS } from './names.ts';
import type { Publisher } from './publisher.ts';
import { reachableObjects, takePublisher } from './queries.ts';

/** Under the publisher lock. Null while another process publishes. */
export async function sweepLake({
  sql,
  objects,
}: Pick<Publisher, 'sql' | 'objects'>): Promise<number | null> {
  return besidePool(sql).begin(async (tx) => {
    if ((await takePublisher(tx)) === null) return null;
    const needed = await reachableObjects(tx);
    let removed = 0;
    for (const { key } of await objects.list(LAKE_OBJECTS)) {
      if (needed.has(key)) continue;
      await objects.remove(key);
      removed += 1;
    }
    return removed;
  });
}
