import { defineSignal } from '@temporalio/workflow';
import { ofOrganization, workflowContract } from './workflow.ts';

/** Seconds after each failed attempt; about 28 hours in all. */
export const RETRY_DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

export type WebhookDeliveryInput = { orgId: string; deliveryId: string };

/** `retryInSeconds`: until the next attempt; null after the last. */
export type WebhookAttemptInput = WebhookDeliveryInput & { retryInSeconds?: number | null };

/** From a member: skips the wait for the next attempt. */
export const deliverNowSignal = defineSignal('deliverNow');

export const webhookDeliveryContract = workflowContract({
  type: 'webhookDelivery',
  workflowId: ({ deliveryId }: WebhookDeliveryInput) => `webhookDelivery/${deliveryId}`,
  summary: ({ deliveryId }) => `Deliver ${deliveryId}`,
  scope: ofOrganization,
});
