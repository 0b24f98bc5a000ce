import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row; no data of people but members' own words. */
export const segmentsChapter: Chapter = {
  name: 'segments',
  tables: ['segments', 'segment_uses'],
};
