import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row. */
export const segmentsChapter: Chapter = {
  name: 'segments',
  tables: ['segments', 'segment_uses'],
};
