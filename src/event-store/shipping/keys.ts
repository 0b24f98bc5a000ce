/** Where copies of sealed segments lie in the bucket. */
export const SEGMENTS = 'segments/';
const SUFFIX = '.log';

export const objectKey = (segmentId: string) => `${SEGMENTS}${segmentId}${SUFFIX}`;
export const segmentIdOf = (key: string) => key.slice(SEGMENTS.length, -SUFFIX.length);
