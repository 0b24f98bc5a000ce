import type { Deps } from '../src/context.ts';
import { attemptDelivery, giveUpDelivery } from '../src/modules/webhooks/index.ts';
import { activity } from './activity.ts';

export function createWebhookActivities(deps: Deps) {
  return {
    attemptWebhookDelivery: activity(deps, attemptDelivery),
    giveUpWebhookDelivery: activity(deps, giveUpDelivery),
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
