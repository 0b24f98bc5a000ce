import type { Chapter } from '../../chapter.ts';

export { insertDemo, selectDemos } from './queries.ts';

export const demoChapter: Chapter = { name: 'demo', tables: ['demo_organizations'] };
