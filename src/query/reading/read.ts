import type { QueryRun } from '../engine.ts';
import { type Part, partsOf, type Suits } from '../projection/parts.ts';
import type { RangeCounter, Share } from '../projection/share.ts';
import type { EventSelection } from '../selection/selection.ts';
import type { CountingTask } from '../threads/messages.ts';
import { countTogether, shareOf } from '../threads/together.ts';

/** A count over projections that has begun. */
type Counting<A> = { counter: RangeCounter; task: CountingTask; answer: () => A };

/** The forms of one question, of which `read` takes the quickest that holds all it asks for. */
type Forms<A> = {
  /** The events that count. */
  selection: EventSelection;
  /** Over projections and rows in memory; null where they lack what is asked. */
  projected: { suits?: Suits; start: (share: Share, parts: readonly Part[]) => Counting<A> } | null;
  /** By DuckDB. */
  sql: () => Promise<A>;
};

export async function read<A>(run: QueryRun, { selection, projected, sql }: Forms<A>): Promise<A> {
  const parts = projected && (await partsOf(run, selection, projected.suits));
  if (!parts) {
    await run.load();
    return sql();
  }
  const share = shareOf(parts, run);
  const { counter, task, answer } = projected.start(share, parts);
  await countTogether(counter, { task, share }, run);
  return answer();
}
