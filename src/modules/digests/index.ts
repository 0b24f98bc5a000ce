export { digestsChapter } from './chapter.ts';
export { sendDigest } from './send-digest.ts';
export { writeDigest } from './write-digest.ts';
