import type { Chapter } from '../../chapter.ts';

export const demoChapter: Chapter = { name: 'demo', tables: ['demo_organizations'] };
