import { DAY_MS } from '../shared/time.ts';
import { besidePool } from '../storage/postgres.ts';
import { forgetNotes } from './changes-queries.ts';
import type { Publisher } from './publisher.ts';
import { forgetTable, publishedAt, selectTables, takePublisher } from './queries.ts';
import { sweepLake } from './sweep.ts';

/**
 * Takes away a lake that nobody has published for a day: its files are going, and what it says of
 * people has to go with them. Not sooner: another host may have `LAKE=on`.
 */
export async function withdrawLake(publisher: Pick<Publisher, 'sql' | 'objects'>): Promise<void> {
  const isWithdrawn = await besidePool(publisher.sql).begin(async (tx) => {
    // As the publisher: a first publication that goes on elsewhere keeps what is noted meanwhile.
    const turn = await takePublisher(tx);
    if (!turn) return false;
    const tables = await selectTables(tx);
    if (tables.length > 0) {
      // A first round that has not ended says nothing yet but by its tables.
      const lastMs =
        (await publishedAt(tx))?.getTime() ?? Math.max(...tables.map(({ updatedMs }) => updatedMs));
      if (turn.nowMs - lastMs < DAY_MS) return false;
    }
    for (const { name } of tables) await forgetTable(tx, name);
    await forgetNotes(tx);
    return tables.length > 0;
  });
  if (isWithdrawn) await sweepLake(publisher);
}
