import type { Chapter } from '../../chapter.ts';
import { TARGET_PURPOSE } from './deliver.ts';
import { ensureMessageRuns, reconcileMessages } from './reconcile.ts';

export const messagesChapter: Chapter = {
  name: 'messages',
  tables: [
    'alerts',
    'digest_destinations',
    'digest_settings',
    'message_bundles',
    'message_posts',
    'message_settings',
    'messages',
  ],
  sealed: [{ table: 'digest_destinations', column: 'sealed_target', purpose: TARGET_PURPOSE }],
  ensureMissingRuns: ensureMessageRuns,
  reconcile: reconcileMessages,
};
