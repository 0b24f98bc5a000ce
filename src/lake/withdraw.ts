import { DAY_MS } from '../shared/time.ts';
import { besidePool } from '../storage/postgres.ts';
import { deleteNotes } from './changes-queries.ts';
import type { Publisher } from './publisher.ts';
import { deleteTable, publishedAt, selectTables, takePublisher } from './queries.ts';
import { sweepLake } from './sweep.ts';

/** For the personal data in it, after a day: another host may have `LAKE=on`. */
export async function withdrawLake(publisher: Pick<Publisher, 'sql' | 'objects'>): Promise<void> {
  const isWithdrawn = await besidePool(publisher.sql).begin(async (tx) => {
    // A first publication elsewhere keeps notes added meanwhile.
    const turn = await takePublisher(tx);
    if (!turn) return false;
    const tables = await selectTables(tx);
    if (tables.length > 0) {
      // An unfinished first publication shows only in its tables.
      const lastMs =
        (await publishedAt(tx))?.getTime() ?? Math.max(...tables.map(({ updatedMs }) => updatedMs));
      if (turn.nowMs - lastMs < DAY_MS) return false;
    }
    for (const { name } of tables) await deleteTable(tx, name);
    await deleteNotes(tx);
    return tables.length > 0;
  });
  if (isWithdrawn) await sweepLake(publisher);
}
