import { type Part, partsOf, type Suits } from './projection/parts.ts';
import type { RangeCounter, Share } from './projection/share.ts';
import type { QueryRun } from './run.ts';
import type { CountingTask } from './threads/messages.ts';
import { countTogether, shareOf } from './threads/together.ts';

type Counting<A> = { counter: RangeCounter; task: CountingTask; answer: () => A };

/** The quickest form that holds all of the question is taken. */
type Forms<A> = {
  projected: { suits?: Suits; start: (share: Share, parts: readonly Part[]) => Counting<A> } | null;
  sql: () => Promise<A>;
};

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
