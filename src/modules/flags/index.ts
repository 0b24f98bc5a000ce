export { flagsChapter } from './chapter.ts';
export { createFlagAsks } from './flag-asks.ts';
export { createFlagSets } from './flag-sets.ts';
export { flagExists } from './queries.ts';
