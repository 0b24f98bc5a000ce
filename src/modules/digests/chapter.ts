import type { Chapter } from '../../chapter.ts';
import { TARGET_PURPOSE } from './deliver.ts';
import { ensureDigestSchedules, reconcileDigests } from './reconcile.ts';

export const digestsChapter: Chapter = {
  name: 'digests',
  tables: ['digest_destinations', 'digest_posts', 'digest_settings', 'digests'],
  sealed: [{ table: 'digest_destinations', column: 'sealed_target', purpose: TARGET_PURPOSE }],
  ensureMissingRuns: ensureDigestSchedules,
  reconcile: reconcileDigests,
};
