import type { Deps } from '../src/context.ts';
import type { CleanupStep } from '../src/modules/apps/index.ts';
import { createAppActivities } from './apps.ts';
import { createBackendActivities } from './backend.ts';
import { createEventActivities } from './events.ts';
import { createOrganizationActivities } from './organizations.ts';
import { createPreviewActivities } from './preview.ts';
import { createPurchaseActivities } from './purchases.ts';
import { createStoreActivities } from './store.ts';
import { createWebhookActivities } from './webhooks.ts';

/** Every activity of the worker, on the dependencies of its process. */
export function createActivities(deps: Deps, cleanupSteps: readonly CleanupStep[]) {
  return {
    ...createAppActivities(deps, cleanupSteps),
    ...createEventActivities(deps),
    ...createOrganizationActivities(deps),
    ...createPreviewActivities(deps),
    ...createPurchaseActivities(deps),
    ...createStoreActivities(deps),
    ...createWebhookActivities(deps),
    ...createBackendActivities(deps),
  };
}
