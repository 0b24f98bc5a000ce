import { defineSignal } from '@temporalio/workflow';
import { ofOrganization, workflowContract } from './workflow.ts';

/** How long to wait after each failed attempt, in seconds: about 28 hours in all. */
export const RETRY_DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

export type WebhookDeliveryInput = { orgId: string; deliveryId: string };

/** `retryInSeconds`: when the run will ask again if this attempt fails; null when it will not. */
export type WebhookAttemptInput = WebhookDeliveryInput & { retryInSeconds?: number | null };

/** Ends the wait before the next attempt: a member asked for it now. */
export const deliverNowSignal = defineSignal('deliverNow');

/** Posts one event to one address until it is accepted or the attempts are used up. */
export const webhookDeliveryContract = workflowContract({
  type: 'webhookDelivery',
  workflowId: ({ deliveryId }: WebhookDeliveryInput) => `webhookDelivery/${deliveryId}`,
  summary: ({ deliveryId }) => `Deliver ${deliveryId}`,
  scope: ofOrganization,
});
