import type { Chapter } from '../../chapter.ts';
import { TARGET_PURPOSE } from './deliver.ts';
import { ensureMessageRuns, reconcileMessages } from './reconcile.ts';

export { destinationExists } from './destinations-queries.ts';
export { MAX_APPS } from './model.ts';
export { postQueries } from './posts-queries.ts';
export { type PurchaseNews, purchaseLine } from './purchase-line.ts';
export { enqueueMessage, selectDigestSettings } from './queries.ts';
export { recordAlerts, wantsAlerts } from './record-alerts.ts';
export { giveUpMessage, sendMessage } from './send-message.ts';
export { sendPost } from './send-post.ts';

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
