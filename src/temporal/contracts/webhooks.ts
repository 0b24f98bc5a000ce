import { workflowContract } from './workflow.ts';

export type WebhookDeliveryInput = { orgId: string; deliveryId: string };

/** Signal: somebody asked for the next attempt now, so the wait before it ends. */
export const DELIVER_NOW = 'deliverNow';

/** Posts one event to one address until it is taken, or until a day has passed. */
export const webhookDeliveryContract = workflowContract<WebhookDeliveryInput>({
  type: 'webhookDelivery',
  workflowId: ({ deliveryId }) => `webhookDelivery/${deliveryId}`,
  summary: ({ deliveryId }) => `Deliver ${deliveryId}`,
});
