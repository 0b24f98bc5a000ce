import { at } from '../../shared/assert.ts';
import { membersIn } from '../selection/conditions.ts';
import { type FirstDimension, traitColumn } from '../selection/dimension.ts';
import { FirstCounter, type FirstTask } from './projection/firsts.ts';
import { type Part, planParts, type Suits } from './projection/parts.ts';
import type { RangeCounter, Share } from './projection/share.ts';
import type { QueryRun } from './run.ts';
import { type Events, selectEvents } from './source/events.ts';
import type { CountingTask } from './threads/messages.ts';
import { countTogether, toShare } from './threads/together.ts';

/** Null where projections turn out not to know the answer. */
export type Counting<A> = { counter: RangeCounter; task: CountingTask; answer: () => A | null };

export type CountParts = <A>(start: (share: Share) => Counting<A>) => Promise<A | null>;

type Projected<A> = { suits?: Suits } & (
  | { start: (share: Share, parts: readonly Part[]) => Counting<A> }
  | { count: (countParts: CountParts, parts: readonly Part[]) => Promise<A | null> }
);

type Forms<A> = { projected: Projected<A> | null; sql: () => Promise<A> };

async function withFirst(run: QueryRun, parts: readonly Part[], by: FirstDimension) {
  const share = toShare(parts, run);
  const counter = new FirstCounter(share, { by, codes: null });
  const { codes } = counter;
  if (codes === null) return null;
  const task = { kind: 'firsts' as const, question: { by, codes } };
  await countTogether(counter, { task, share }, run);
  const found = counter.found();
  return (
    found &&
    parts.map((part, index) => ({
      ...part,
      firsts: new Map([...(part.firsts ?? []), [traitColumn(by), at(found, index)]]),
    }))
  );
}

/** Tables of members are made only when SQL answers after all. */
function neededEvents({ source, selection }: QueryRun, { wantsAll = false }: Suits): Events {
  const { where, ...others } = selection;
  const isOfMembers = where !== undefined && membersIn(where).length > 0;
  if (wantsAll) return selectEvents(source, {});
  return selectEvents(source, isOfMembers ? others : selection);
}

async function planAll(run: QueryRun, suits: Suits = {}): Promise<Part[] | null> {
  let parts = await planParts({ ...run, ...neededEvents(run, suits) }, suits);
  for (const by of suits.firsts ?? []) parts &&= await withFirst(run, parts, by);
  return parts;
}

async function countProjected<A>(run: QueryRun, projected: Projected<A>): Promise<A | null> {
  const parts = await planAll(run, projected.suits);
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
  run.noteForm?.(answer === null ? 'sql' : 'projections');
  if (answer !== null) return answer;
  await run.load();
  return sql();
}

declare module './threads/messages.ts' {
  interface CountingTasks {
    firsts: FirstTask;
  }
}
