import { LRUCache } from 'lru-cache';
import { createPersonForSeeds } from '../experiments/index.ts';
import { type AllAnswers, answersInContext, type ContextAnswers } from './all-answers.ts';
import type { CompiledFlag, Target } from './compile.ts';
import { createOutcomes } from './outcomes.ts';

const MEGABYTE = 1024 * 1024;
const MAX_CONTEXT_BYTES = 32 * MEGABYTE;
const MAX_ETAG_BYTES = 16 * MEGABYTE;
const BYTES_OF_ETAG = 200;

/** Of all apps; `sets` so far number their keys. */
export type KeptAnswers = {
  sets: number;
  contexts: LRUCache<string, ContextAnswers>;
  /** Of those who are likely to ask again. */
  etags: LRUCache<string, string>;
};

export const createKeptAnswers = (): KeptAnswers => ({
  sets: 0,
  contexts: new LRUCache({ maxSize: MAX_CONTEXT_BYTES, sizeCalculation: ({ bytes }) => bytes }),
  etags: new LRUCache({
    maxSize: MAX_ETAG_BYTES,
    sizeCalculation: (_, key) => BYTES_OF_ETAG + 2 * key.length,
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
    if (typeof all !== 'function') return all;
    const key = `${context} ${person}`;
    const etag = kept.etags.get(key);
    if (etag !== undefined) return { etag, body: () => all(person).body() };
    const answers = all(person);
    kept.etags.set(key, answers.etag);
    return answers;
  };
}
