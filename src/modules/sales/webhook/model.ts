import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, Tolerant } from '../../../shared/schema.ts';

const StoreWebhookFields = {
  address: Type.String({ description: 'What the store posts to.' }),
  isInAccount: Type.Boolean({
    description: 'Made in the store’s account with the key; else a person enters it there.',
  }),
  lastError: Nullable(Type.String({ description: 'Why it is not in the account.' })),
  rotatedAt: DateTime,
  lastDeliveryAt: Nullable(DateTime),
  pingedAt: Nullable(DateTime),
};

export const StoreWebhook = Named('StoreWebhook', StoreWebhookFields);
export type StoreWebhook = Static<typeof StoreWebhook>;

export const MadeStoreWebhook = Named('MadeStoreWebhook', {
  ...StoreWebhookFields,
  secret: Nullable(
    Type.String({
      description: 'To enter in App Store Connect; shown once, null where the key made it.',
    }),
  ),
});
export type MadeStoreWebhook = Static<typeof MadeStoreWebhook>;

export const StoreWebhookBody = Tolerant(
  {
    data: Tolerant({
      type: Type.String({ minLength: 1, maxLength: 200 }),
      id: Type.String({ minLength: 1, maxLength: 200 }),
    }),
  },
  {
    title: 'StoreWebhookBody',
    examples: [
      {
        data: {
          type: 'appStoreVersionAppVersionStateUpdated',
          id: '1f1c1d3e-0000-4000-8000-000000000000',
          version: 1,
          attributes: { newValue: 'IN_REVIEW', oldValue: 'WAITING_FOR_REVIEW' },
        },
      },
    ],
  },
);
export type StoreWebhookInput = Static<typeof StoreWebhookBody>;

export const StoreWebhookReceived = Named('StoreWebhookReceived', { received: Type.Boolean() });
