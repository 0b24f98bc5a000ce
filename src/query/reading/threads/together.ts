import type { AppAlias } from '../../../event-store/read.ts';
import type { AppScope } from '../../../shared/app.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import { checkRows } from '../../../storage/missing-rows.ts';
import { type Members, PartMembers } from '../projection/members.ts';
import {
  addCounted,
  type CountedPart,
  type RangeCounter,
  type Share,
} from '../projection/share.ts';
import { stitchedIndex } from '../projection/stitched-index.ts';
import { Turns } from '../projection/turns.ts';
import type { CountingTask, HelpRequest } from './messages.ts';
import { Pace, withinTime } from '../../../shared/pace.ts';
import { CountingThreads } from './threads.ts';

const entriesOf = (parts: readonly CountedPart[]): number =>
  parts.reduce((sum, { projection }) => sum + projection.entries, 0);

type Counting = { checkTime: () => void; threads: CountingThreads | null };

export function toShare(
  parts: readonly CountedPart[],
  {
    source,
    threads,
    members = {},
  }: {
    source: AppScope & { environment: EnvironmentScope; lateAliases: readonly AppAlias[] };
    threads: CountingThreads | null;
    members?: Members;
  },
): Share {
  return {
    parts: parts.map((part) => ({ ...part, members: new PartMembers(members, part.projection) })),
    members,
    environment: source.environment,
    ranges: {
      stitched: stitchedIndex(source, source.lateAliases),
      count: CountingThreads.rangesOf(entriesOf(parts), threads),
      turns: new Turns(),
    },
  };
}

function toRequest(
  task: CountingTask,
  { parts, members, environment, ranges }: Share,
): HelpRequest {
  return {
    task,
    parts: parts.map(({ projection, file, firsts }) => ({
      origin: projection.origin,
      ...(firsts && { firsts }),
      file: file && {
        minOccurredAt: file.minOccurredAt,
        maxOccurredAt: file.maxOccurredAt,
        developmentRows: file.developmentRows,
      },
    })),
    members,
    environment,
    stitched: ranges.stitched,
    ranges: ranges.count,
    turns: ranges.turns.shared,
  };
}

/** A failing helper fails the question: nobody counts the ranges it took. */
export async function countTogether(
  counter: RangeCounter,
  { task, share }: { task: CountingTask; share: Share },
  { checkTime, threads }: Counting,
): Promise<void> {
  const { count, turns } = share.ranges;
  const asked = threads?.help(() => toRequest(task, share), count) ?? [];
  const helped = Promise.all(asked).catch((thrown: unknown) => {
    turns.end();
    throw thrown;
  });
  // Awaited below.
  helped.catch(() => undefined);
  const pace = new Pace(checkTime);
  try {
    if (threads?.helpersFirst) await helped;
    while (counter.people.next()) {
      counter.countRange();
      await pace.turn();
    }
    await withinTime(helped, checkTime);
  } catch (thrown) {
    turns.end();
    throw thrown;
  }
  let { dealt } = counter.people;
  for (const counted of await helped) {
    if (counted === null) continue;
    addCounted(counter.state(), counted);
    dealt += counted.dealt;
  }
  checkRows(dealt, entriesOf(share.parts), 'the people of a question');
  counter.countStitched();
}
