export { onboardingChapter } from './chapter.ts';
