import { type Static, Type } from '@sinclair/typebox';
import { EXAMPLE_PRIVATE_KEY } from '../../../../shared/app-store-token.ts';
import type { Store } from '../../../../shared/stores.ts';
import { DateTime, Named, Nullable, OneOf, Tolerant } from '../../../../shared/schema.ts';
import { Text } from '../../../../shared/text.ts';
import { Environment } from '../../model/wire.ts';

export const APP_STORE: Store = 'app_store';

export const NotificationBody = Tolerant(
  {
    signedPayload: Type.String({ minLength: 1, maxLength: 65_000 }),
  },
  {
    title: 'StoreNotification',
    examples: [
      {
        signedPayload:
          'eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJub3RpZmljYXRpb25UeXBlIjoiVEVTVCJ9.c2lnbmF0dXJl',
      },
    ],
  },
);
export const Received = Named('ReceivedNotification', { received: Type.Literal(true) });
export type Received = Static<typeof Received>;

export const PurchaseConnection = Named('PurchaseConnection', {
  orgId: Type.String(),
  keyId: Type.String(),
  issuerId: Type.String(),
  status: OneOf(['connected', 'invalid']),
  connectedAt: DateTime,
  lastVerifiedAt: Nullable(DateTime),
  lastError: Nullable(Type.String()),
});
export type PurchaseConnection = Static<typeof PurchaseConnection>;

export const ConnectBody = Named(
  'ConnectPurchaseKeyBody',
  {
    issuerId: Text(8, 100),
    keyId: Text(4, 40),
    privateKey: Type.String({
      minLength: 100,
      maxLength: 8_000,
      description: 'The In-App Purchase key (`.p8`), PKCS#8 PEM. It is never returned.',
    }),
  },
  {
    examples: [
      {
        issuerId: '57246542-96fe-1a63-e053-0824d011072a',
        keyId: '2X9R4HXF34',
        privateKey: EXAMPLE_PRIVATE_KEY,
      },
    ],
  },
);
export type ConnectInput = Static<typeof ConnectBody>;

export const TestBody = Type.Optional(
  Named(
    'TestPurchaseConnectionBody',
    {
      appId: Type.Optional(Type.String({ maxLength: 64 })),
      environment: Type.Optional({ ...Environment, whenLeftOut: 'Production' }),
    },
    { examples: [{ environment: 'Sandbox' }] },
  ),
);
export type TestInput = {
  appId?: string | undefined;
  environment?: Static<typeof Environment> | undefined;
};

export const TestAnswer = Named('TestedPurchaseConnection', {
  requested: Type.Literal(true),
  appId: Type.String(),
  environment: Environment,
  lastNotificationAt: Nullable(DateTime),
  lastTestNotificationAt: Nullable(DateTime),
});
export type TestAnswer = Static<typeof TestAnswer>;

const LastNotifications = Type.Object({
  lastNotificationAt: Nullable(DateTime),
  lastTestNotificationAt: Nullable(DateTime),
});

export const SeenNotifications = Named('SeenPurchaseNotifications', {
  production: LastNotifications,
  sandbox: LastNotifications,
});
export type SeenNotifications = Static<typeof SeenNotifications>;
