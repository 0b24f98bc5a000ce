import type { Chapter } from '../../chapter.ts';

export { createDeviceKeys, createFlagKeys } from './device-keys.ts';
export { publishableKeyExists } from './queries.ts';

export const keysChapter: Chapter = {
  name: 'keys',
  tables: ['publishable_keys'],
};
