import { type Dimension, givenValues } from '../selection/dimension.ts';
import type { Part } from './projection/parts.ts';
import { type RankedValues, rankAtOnce, ValueCounter } from './projection/ranked-values.ts';
import type { CountParts } from './read.ts';
import type { QueryRun } from './run.ts';
import { MAX_BREAKDOWN_VALUES, type Shown } from './shown-values.ts';

const shownOfRanked = (by: Dimension, ranked: readonly string[]): Shown => {
  const values = ranked.slice(0, MAX_BREAKDOWN_VALUES);
  return { by, values, others: ranked.length - values.length };
};

export type PartsCounting = {
  source: QueryRun['source'];
  parts: readonly Part[];
  countParts: CountParts;
};

export async function shownByParts(
  { source: { environment }, parts, countParts }: PartsCounting,
  by: Dimension,
  meant: Omit<RankedValues, 'by'>,
): Promise<Shown | null> {
  const given = givenValues(by);
  if (given) return { by, values: given, others: 0 };
  const question = { ...meant, by };
  const ranked = rankAtOnce({ parts, environment }, question);
  if (ranked !== null) return shownOfRanked(by, ranked);
  return countParts((share) => {
    const counter = new ValueCounter(share, question);
    const answer = () => shownOfRanked(by, counter.ranked());
    return { counter, task: { kind: 'values' as const, question }, answer };
  });
}

declare module './threads/messages.ts' {
  interface CountingTasks {
    values: RankedValues;
  }
}
