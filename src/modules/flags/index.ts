export { flagsChapter } from './chapter.ts';
export { createFlagAsks } from './flag-asks.ts';
export { createFlagSets } from './flag-sets.ts';
export { type DecideNeeds, decideFlag } from './evaluate.ts';
export { flagExists, selectFlagType } from './queries.ts';
