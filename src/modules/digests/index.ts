export { digestsChapter } from './chapter.ts';
export { destinationExists } from './queries.ts';
export { sendDigest } from './send.ts';
export { writeDigest } from './write.ts';
