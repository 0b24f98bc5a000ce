export { marketingChapter } from './chapter.ts';
