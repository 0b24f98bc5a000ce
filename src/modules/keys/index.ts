export { keysChapter } from './chapter.ts';
export { createDeviceKeys, createFlagKeys } from './device-keys.ts';
export { publishableKeyExists } from './queries.ts';
