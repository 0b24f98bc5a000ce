import type { Chapter } from '../../chapter.ts';
import { ensureDigestSchedules, reconcileDigests } from './reconcile.ts';

export const digestsChapter: Chapter = {
  name: 'digests',
  tables: ['digest_posts', 'digest_settings', 'digests'],
  ensureMissingRuns: ensureDigestSchedules,
  reconcile: reconcileDigests,
};
