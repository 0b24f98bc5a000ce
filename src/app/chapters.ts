import type { Chapter } from '../chapter.ts';
import { appsChapter } from '../modules/apps/index.ts';
import { backendChapter } from '../modules/backend/index.ts';
import { demoChapter } from '../modules/demo/index.ts';
import { digestsChapter } from '../modules/digests/index.ts';
import { eventsChapter } from '../modules/events/index.ts';
import { experimentsChapter } from '../modules/experiments/index.ts';
import { funnelsChapter } from '../modules/funnels/index.ts';
import { accountsChapter, organizationsChapter } from '../modules/identity/index.ts';
import { keysChapter } from '../modules/keys/index.ts';
import { logsChapter } from '../modules/logs/index.ts';
import { marketingChapter } from '../modules/marketing/index.ts';
import { marksChapter } from '../modules/marks/index.ts';
import { messagesChapter } from '../modules/messages/index.ts';
import { onboardingChapter } from '../modules/onboarding/index.ts';
import { previewChapter } from '../modules/preview/index.ts';
import { purchasesChapter } from '../modules/purchases/index.ts';
import { salesChapter } from '../modules/sales/index.ts';
import { webhooksChapter } from '../modules/webhooks/index.ts';

/** In the order in which the deletion of an app cleans up: rows that reference `apps` go with `apps`. */
export const CHAPTERS: readonly Chapter[] = [
  eventsChapter,
  funnelsChapter,
  backendChapter,
  previewChapter,
  logsChapter,
  marketingChapter,
  salesChapter,
  purchasesChapter,
  appsChapter,
  keysChapter,
  experimentsChapter,
  webhooksChapter,
  digestsChapter,
  messagesChapter,
  onboardingChapter,
  marksChapter,
  demoChapter,
  accountsChapter,
  organizationsChapter,
];

/** What the deletion of an app removes, in this order. */
export const CLEANUP_STEPS = CHAPTERS.flatMap(({ cleanup }) => cleanup ?? []);

/** What the erasure of a person removes beside the events, in the erasure's transaction. */
export const ERASURE_STEPS = CHAPTERS.flatMap(({ erasure }) => erasure ?? []);

/** Every column of sealed secrets. */
export const SEALED_COLUMNS = CHAPTERS.flatMap(({ sealed }) => sealed ?? []);
