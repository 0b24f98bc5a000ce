import type { Chapter, CleanupStep } from '../chapter.ts';
import { appsChapter } from '../modules/apps/index.ts';
import { auditChapter } from '../modules/audit/index.ts';
import { backendChapter } from '../modules/backend/index.ts';
import { demoChapter } from '../modules/demo/index.ts';
import { digestsChapter } from '../modules/digests/index.ts';
import { eventsChapter } from '../modules/events/index.ts';
import { experimentsChapter } from '../modules/experiments/index.ts';
import { flagsChapter } from '../modules/flags/index.ts';
import { funnelsChapter } from '../modules/funnels/index.ts';
import * as identity from '../modules/identity/index.ts';
import { keysChapter } from '../modules/keys/index.ts';
import { logsChapter } from '../modules/logs/index.ts';
import { marketingChapter } from '../modules/marketing/index.ts';
import { marksChapter } from '../modules/marks/index.ts';
import { messagesChapter } from '../modules/messages/index.ts';
import { offeringsChapter } from '../modules/offerings/index.ts';
import { onboardingChapter } from '../modules/onboarding/index.ts';
import { previewChapter } from '../modules/preview/index.ts';
import { purchasesChapter } from '../modules/purchases/index.ts';
import { sqlChapter } from '../modules/sql/index.ts';
import { questionsChapter } from '../modules/questions/index.ts';
import { reviewsChapter } from '../modules/reviews/index.ts';
import { salesChapter } from '../modules/sales/index.ts';
import { segmentsChapter } from '../modules/segments/index.ts';
import { storeReportsChapter } from '../modules/store-reports/index.ts';
import { watchesChapter } from '../modules/watches/index.ts';
import { webhooksChapter } from '../modules/webhooks/index.ts';
import { deleteOwned } from '../storage/dump/owned-rows.ts';

export const CHAPTERS: readonly Chapter[] = [
  eventsChapter,
  funnelsChapter,
  backendChapter,
  previewChapter,
  logsChapter,
  marketingChapter,
  reviewsChapter,
  storeReportsChapter,
  salesChapter,
  purchasesChapter,
  appsChapter,
  keysChapter,
  experimentsChapter,
  flagsChapter,
  offeringsChapter,
  webhooksChapter,
  digestsChapter,
  messagesChapter,
  onboardingChapter,
  marksChapter,
  segmentsChapter,
  questionsChapter,
  sqlChapter,
  watchesChapter,
  demoChapter,
  identity.accountsChapter,
  identity.organizationsChapter,
  identity.companyChapter,
  // After every erasure: says nothing of what they removed.
  auditChapter,
];

export const KEPT_OF_APP: Readonly<Record<string, string>> = {
  apps: 'deleted',
  audit_entries: 'a pseudonym',
  backend_projects: 'stays',
  event_deleted_apps: 'written',
  event_files: 'deleted',
  event_property_columns: 'deleted',
  outbox: 'stays',
  store_apps: 'stays',
};

const rows: CleanupStep = {
  name: 'rows',
  run: ({ deps }, { orgId, appId }) =>
    deleteOwned(
      deps.sql,
      { org_id: orgId, app_id: appId },
      (table) => table in KEPT_OF_APP || /^logs_\d/.test(table),
    ),
};

const CLEANUPS = CHAPTERS.flatMap(({ cleanup }) => cleanup ?? []);

/** The row of the app is last: `runCleanupStep` orders all others by it. */
export const CLEANUP_STEPS = [
  ...CLEANUPS.filter((step) => step !== appsChapter.cleanup),
  rows,
  ...CLEANUPS.filter((step) => step === appsChapter.cleanup),
];

export const PERSON_PLACES = CHAPTERS.flatMap(({ people }) => people ?? []);

export const SEALED_COLUMNS = CHAPTERS.flatMap(({ sealed }) => sealed ?? []);
