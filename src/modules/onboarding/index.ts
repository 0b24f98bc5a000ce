import type { Chapter } from '../../chapter.ts';

export const onboardingChapter: Chapter = { name: 'onboarding', tables: ['onboarding_surveys'] };
