import { FIELD_RULES } from '../../../shared/field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';

/** As Play Console copies it, or the name alone. */

export const PlayAccount = Named(
  'GooglePlayAccount',
  {
    bucket: Type.String(),
    clientEmail: Type.String({
      description:
        'The service account, to be invited in Play Console under Users and permissions.',
    }),
    privateKeyId: Type.String(),
    status: OneOf(['connected', 'invalid']),
    connectedAt: DateTime,
    lastVerifiedAt: DateTime,
    lastError: Nullable(Type.String({ description: 'What Google refused, and what to do.' })),
    nextReadAt: DateTime,
  },
  {
    description: 'The private key is never returned.',
  },
);
export type PlayAccount = Static<typeof PlayAccount>;

export const ConnectPlayAccountBody = Named(
  'ConnectGooglePlayAccountBody',
  {
    bucket: Type.String({
      ...FIELD_RULES.bucket,
      description:
        'The Cloud Storage URI of the reports, as Play Console copies it under Download reports.',
    }),
    serviceAccount: Type.String({
      minLength: 2,
      maxLength: 12_000,
      description: 'The JSON key file of a Google service account, as text. It is never returned.',
    }),
  },
  {
    examples: [
      {
        bucket: 'gs://pubsite_prod_01234567890987654321/',
        serviceAccount: '{"type": "service_account", "client_email": "…", "private_key": "…"}',
      },
    ],
  },
);
export type ConnectPlayAccountInput = Static<typeof ConnectPlayAccountBody>;

export const bucketName = (text: string): string => text.replace(/^gs:\/\//, '').replace(/\/$/, '');

/** Vendor of its days, next to those of App Store Connect. */
export const vendorOf = (bucket: string): string => `gs://${bucket}`;
