import type { Deps } from '../src/deps.ts';
import { createAppActivities } from './apps.ts';
import { createBackendActivities } from './backend.ts';
import { createEventActivities } from './events.ts';
import { createOrganizationActivities } from './organizations.ts';
import { createPreviewActivities } from './preview.ts';
import { createPurchaseActivities } from './purchases.ts';
import { createStoreActivities } from './store.ts';
import { createWebhookActivities } from './webhooks.ts';

/** Every activity of the worker, on the dependencies of its process. */
export function createActivities(deps: Deps) {
  return {
    ...createAppActivities(deps),
    ...createEventActivities(deps),
    ...createOrganizationActivities(deps),
    ...createPreviewActivities(deps),
    ...createPurchaseActivities(deps),
    ...createStoreActivities(deps),
    ...createWebhookActivities(deps),
    ...createBackendActivities(deps),
  };
}
