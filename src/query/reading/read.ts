import { type Part, partsOf, type Suits } from './projection/parts.ts';
import type { RangeCounter, Share } from './projection/share.ts';
import type { QueryRun } from './run.ts';
import type { CountingTask } from './threads/messages.ts';
import { countTogether, shareOf } from './threads/together.ts';

/** A count over projections that has begun. */
type Counting<A> = { counter: RangeCounter; task: CountingTask; answer: () => A };

/** The forms of one question, of which `read` takes the quickest that holds all it asks for. */
type Forms<A> = {
  /** Over projections and rows in memory; null where they lack what is asked. */
  projected: { suits?: Suits; start: (share: Share, parts: readonly Part[]) => Counting<A> } | null;
  /** By DuckDB. */
  sql: () => Promise<A>;
};

/** Counts the selected events of a run. */
export async function read<A>(run: QueryRun, { projected, sql }: Forms<A>): Promise<A> {
  const parts = projected && (await partsOf(run, projected.suits));
  if (!parts) {
    await run.load();
    return sql();
  }
  const share = shareOf(parts, run);
  const { counter, task, answer } = projected.start(share, parts);
  await countTogether(counter, { task, share }, run);
  return answer();
}
