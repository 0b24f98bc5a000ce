import type { Chapter } from '../../chapter.ts';

/** The row ends with its organization, as every row of one does. */
export const demoChapter: Chapter = { name: 'demo', tables: ['demo_organizations'] };
