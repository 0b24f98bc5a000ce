export { keysChapter } from './chapter.ts';
export { createDeviceKeys } from './device-keys.ts';
export { publishableKeyExists } from './queries.ts';
