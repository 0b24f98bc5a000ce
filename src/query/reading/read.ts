import { type Part, planParts, type Suits } from './projection/parts.ts';
import type { RangeCounter, Share } from './projection/share.ts';
import type { QueryRun } from './run.ts';
import type { CountingTask } from './threads/messages.ts';
import { countTogether, toShare } from './threads/together.ts';

/** Null where projections turn out not to know the answer. */
type Counting<A> = { counter: RangeCounter; task: CountingTask; answer: () => A | null };

export type CountParts = <A>(start: (share: Share) => Counting<A>) => Promise<A | null>;

type Projected<A> = { suits?: Suits } & (
  | { start: (share: Share, parts: readonly Part[]) => Counting<A> }
  | { count: (countParts: CountParts, parts: readonly Part[]) => Promise<A | null> }
);

type Forms<A> = { projected: Projected<A> | null; sql: () => Promise<A> };

async function countProjected<A>(run: QueryRun, projected: Projected<A>): Promise<A | null> {
  const parts = await planParts(run, projected.suits);
  if (parts === null) return null;
  const countParts: CountParts = async (start) => {
    const share = toShare(parts, run);
    const { counter, task, answer } = start(share);
    await countTogether(counter, { task, share }, run);
    return answer();
  };
  if ('count' in projected) return projected.count(countParts, parts);
  return countParts((share) => projected.start(share, parts));
}

export async function read<A>(run: QueryRun, { projected, sql }: Forms<A>): Promise<A> {
  const answer = projected && (await countProjected(run, projected));
  if (answer !== null) return answer;
  await run.load();
  return sql();
}
