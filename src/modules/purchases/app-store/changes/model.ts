import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../../../shared/schema.ts';
import { Text } from '../../../../shared/text.ts';
import { Environment } from '../../model/wire.ts';

const PURCHASE = {
  originalTransactionId: Text(1, 64),
  environment: Type.Optional({ ...Environment, whenLeftOut: 'Production' }),
};

export const EXTENSION_REASONS = ['undeclared', 'satisfaction', 'outage', 'other'] as const;

export const ExtendRenewalBody = Named(
  'ExtendRenewalBody',
  {
    ...PURCHASE,
    days: Type.Integer({ minimum: 1, maximum: 90 }),
    reason: OneOf(EXTENSION_REASONS, { description: 'What the store is told.' }),
    requestIdentifier: Text(1, 128, {
      description: 'Yours, one for each extension: a request with it twice extends once.',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        originalTransactionId: '2000000512345678',
        days: 14,
        reason: 'outage',
        requestIdentifier: 'outage-2026-11-21-2000000512345678',
      },
    ],
  },
);
export type ExtendRenewalInput = Static<typeof ExtendRenewalBody>;

export const RenewalExtension = Named('RenewalExtension', {
  requestIdentifier: Type.String(),
  originalTransactionId: Type.String(),
  environment: Environment,
  days: Type.Integer(),
  reason: OneOf(EXTENSION_REASONS),
  renewsAt: Nullable(DateTime),
  extendedAt: DateTime,
});
export type RenewalExtension = Static<typeof RenewalExtension>;

export const AccountTokenBody = Named(
  'SetAccountTokenBody',
  {
    ...PURCHASE,
    appAccountToken: Type.String({
      pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
      description: 'A UUID. It takes the place of the one before.',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        originalTransactionId: '2000000512345678',
        appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
      },
    ],
  },
);
export type AccountTokenInput = Static<typeof AccountTokenBody>;

export const AccountToken = Named('PurchaseAccountToken', {
  originalTransactionId: Type.String(),
  environment: Environment,
  appAccountToken: Type.String(),
});
export type AccountToken = Static<typeof AccountToken>;
