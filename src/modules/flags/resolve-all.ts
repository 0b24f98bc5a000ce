import { LRUCache } from 'lru-cache';
import { createPersonForSeeds } from '../experiments/index.ts';
import {
  type AllAnswers,
  answersInContext,
  type ContextAnswers,
  type Drawn,
} from './all-answers.ts';
import type { CompiledFlag, Target } from './compile.ts';
import { createOutcomes } from './outcomes.ts';

const MEGABYTE = 1024 * 1024;
const MAX_CONTEXT_BYTES = 32 * MEGABYTE;
const MAX_DRAWN_BYTES = 24 * MEGABYTE;
const BYTES_OF_DRAWN = 300;

/** Of all apps; `sets` so far number their keys. */
export type KeptAnswers = {
  sets: number;
  contexts: LRUCache<string, ContextAnswers>;
  /** Of people, who are likely to ask again. */
  drawn: LRUCache<string, Drawn>;
};

export const createKeptAnswers = (): KeptAnswers => ({
  sets: 0,
  contexts: new LRUCache({ maxSize: MAX_CONTEXT_BYTES, sizeCalculation: ({ bytes }) => bytes }),
  drawn: new LRUCache({
    maxSize: MAX_DRAWN_BYTES,
    sizeCalculation: ({ picks }, key) => BYTES_OF_DRAWN + 2 * key.length + picks.byteLength,
  }),
});

export type EvaluateAll = (target: Target) => AllAnswers;

/** What a set comes to is kept for it alone: a changed flag makes another set. */
export function createEvaluateAll(
  flags: readonly CompiledFlag[],
  kept: KeptAnswers = createKeptAnswers(),
): EvaluateAll {
  kept.sets += 1;
  const set = String(kept.sets);
  const outcomesIn = createOutcomes(flags.flatMap(({ questions }) => questions));
  return (target) => {
    const { person, attribute } = target;
    const context = `${set} ${outcomesIn(target)}`;
    let found = kept.contexts.get(context);
    if (!found) {
      found = answersInContext(
        flags.map(({ resolve }) => resolve(attribute)),
        createPersonForSeeds,
      );
      kept.contexts.set(context, found);
    }
    const { all } = found;
    if ('etag' in all) return all;
    const key = `${context} ${person}`;
    let drawn = kept.drawn.get(key);
    if (!drawn) {
      drawn = all.draw(person);
      kept.drawn.set(key, drawn);
    }
    const { etag, picks } = drawn;
    return { etag, body: () => all.bodyOf(picks) };
  };
}
