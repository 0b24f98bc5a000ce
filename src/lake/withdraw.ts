import { DAY_MS } from '../shared/time.ts';
import { forgetNotes } from './changes-queries.ts';
import type { Publisher } from './publisher.ts';
import { forgetTable, publishedAt, selectTables, takePublisher } from './queries.ts';
import { sweepLake } from './sweep.ts';

/**
 * Takes away a lake that nobody has published for a day: its files are going, and what it says of
 * people has to go with them. Not sooner: another host may have `LAKE=on`.
 */
export async function withdrawLake(publisher: Pick<Publisher, 'sql' | 'objects'>): Promise<void> {
  const { sql } = publisher;
  if ((await selectTables(sql)).length === 0) {
    await forgetNotes(sql);
    return;
  }
  const isWithdrawn = await sql.begin(async (tx) => {
    const turn = await takePublisher(tx);
    const lastMs = (await publishedAt(tx))?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (!turn || turn.nowMs - lastMs < DAY_MS) return false;
    for (const { name } of await selectTables(tx)) await forgetTable(tx, name);
    await forgetNotes(tx);
    return true;
  });
  if (isWithdrawn) await sweepLake(publisher);
}
