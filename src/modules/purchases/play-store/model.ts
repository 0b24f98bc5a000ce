import { FIELD_RULES } from '../../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import type { Store } from '../../../shared/stores.ts';
import { DateTime, Named, Nullable, OneOf, Tolerant } from '../../../shared/schema.ts';

export const GOOGLE_PLAY: Store = 'google_play';

const PackageName = Type.String({
  ...FIELD_RULES.packageName,
  description: 'As in Play Console, such as `com.example.focus`.',
});

const Email = Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 320 });

const EXAMPLE = {
  packageName: 'com.example.focus',
  pushEmail: 'pushes@example-project.iam.gserviceaccount.com',
};

const StoredFields = {
  appId: Type.String(),
  packageName: Type.String(),
  clientEmail: Type.String({
    description: 'The service account, to be invited in Play Console under Users and permissions.',
  }),
  privateKeyId: Type.String(),
  pushEmail: Nullable(Type.String()),
  lastNotificationAt: Nullable(DateTime),
  lastTestAt: Nullable(DateTime),
  status: OneOf(['connected', 'invalid']),
  connectedAt: DateTime,
  lastVerifiedAt: DateTime,
  lastError: Nullable(
    Type.String({ description: 'What Google Play refused, and what to do about it.' }),
  ),
};

export const StoredPlayConnection = Type.Object(StoredFields);
export type StoredPlayConnection = Static<typeof StoredPlayConnection>;

export const PlayConnection = Named('PlayConnection', {
  ...StoredFields,
  pushAddress: Type.String({
    description:
      'Where the push subscription of Google Cloud Pub/Sub sends notifications, with authentication by `pushEmail` and this address as audience.',
  }),
});
export type PlayConnection = Static<typeof PlayConnection>;

export const ConnectPlayBody = Named(
  'ConnectPlayStoreBody',
  {
    packageName: PackageName,
    serviceAccount: Type.String({
      minLength: 2,
      maxLength: 12_000,
      description: 'The JSON key file of a Google service account, as text. It is never returned.',
    }),
    pushEmail: Type.Optional({
      ...Email,
      description:
        'The service account that the push subscription of the notifications signs with. Without it no notification is taken.',
    }),
  },
  {
    examples: [
      {
        ...EXAMPLE,
        serviceAccount: '{"type": "service_account", "client_email": "…", "private_key": "…"}',
      },
    ],
  },
);
export type ConnectPlayInput = Static<typeof ConnectPlayBody>;

/** The body that Google Cloud Pub/Sub pushes. */
export const PlayPushBody = Tolerant(
  {
    message: Tolerant({
      data: Type.String({ maxLength: 60_000, description: 'The notification, in base64.' }),
    }),
  },
  {
    title: 'PlayPushBody',
    examples: [
      {
        message: { data: 'eyJ0ZXN0Tm90aWZpY2F0aW9uIjp7fX0=', messageId: '136969346945' },
        subscription: 'projects/example/subscriptions/play',
      },
    ],
  },
);

export const PlayPushReceived = Named('PlayPushReceived', {
  received: Type.Boolean({ description: 'false: it was no notification of this app.' }),
});
