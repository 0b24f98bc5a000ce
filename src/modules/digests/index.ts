import type { Chapter } from '../../chapter.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';

export { sendDigest } from './digest-text.ts';
export { writeDigest } from './write-digest.ts';

const KEEP_DAYS = 90;

export const digestsChapter: Chapter = {
  name: 'digests',
  tables: ['digest_posts', 'digests'],
  reconcile: ({ sql }) => deleteOldRows(sql, 'digests', KEEP_DAYS),
};
