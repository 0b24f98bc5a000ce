import type { Chapter } from '../../chapter.ts';

export { createFlagAsks } from './flag-asks.ts';
export { createFlagSets } from './flag-sets.ts';
export { type DecideNeeds, decideFlag } from './evaluate.ts';
export { flagExists, selectFlagType } from './queries.ts';

/** Deleted with the app's row. */
export const flagsChapter: Chapter = {
  name: 'flags',
  tables: ['flag_asks', 'flag_sets', 'flag_versions', 'flags'],
};
