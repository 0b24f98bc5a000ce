import type { Chapter } from '../../chapter.ts';
import { TARGET_PURPOSE } from './deliver.ts';
import { ensureDigestRuns, reconcileDigests } from './reconcile.ts';

export const digestsChapter: Chapter = {
  name: 'digests',
  tables: [
    'alerts',
    'digest_destinations',
    'digest_posts',
    'digest_settings',
    'digests',
    'message_bundles',
    'message_posts',
  ],
  sealed: [{ table: 'digest_destinations', column: 'sealed_target', purpose: TARGET_PURPOSE }],
  ensureMissingRuns: ensureDigestRuns,
  reconcile: reconcileDigests,
};
