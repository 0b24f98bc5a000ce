import { type Static, Type } from '@sinclair/typebox';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { CommitmentPeriod } from '../../../shared/purchase.ts';
import {
  DateTime,
  Named,
  Nullable,
  OneOf,
  QueryInteger,
  Tolerant,
} from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { EntitlementName, EntitlementOfName } from './names.ts';
import { ENTITLEMENT_STATUSES } from './status.ts';

export const Environment = OneOf(STORE_ENVIRONMENTS, { description: "The store's environment." });

export const CommitmentPeriodShown = {
  ...CommitmentPeriod,
  description:
    'Of a subscription billed by month under a commitment: which of how many periods runs.',
};

export const Entitlement = Named('Entitlement', {
  entitled: Type.Boolean(),
  status: OneOf(ENTITLEMENT_STATUSES),
  productId: Nullable(Type.String()),
  expiresAt: Nullable(DateTime),
  graceExpiresAt: Nullable(DateTime),
  willRenew: Type.Boolean({
    description: 'Under a commitment: whether another one follows it.',
  }),
  committedUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Of a subscription billed by month under a commitment: until when its customer is charged. `expiresAt` is when the month that is paid ends.',
    }),
  ),
  commitmentPeriod: Type.Optional(CommitmentPeriodShown),
  ownership: Nullable(OneOf(['purchased', 'family_shared'])),
  originalTransactionId: Nullable(Type.String()),
  environment: Type.Optional(
    OneOf(STORE_ENVIRONMENTS, {
      description:
        'Where it was bought; without a purchase, what was asked for. `Sandbox` is a purchase that nobody paid for.',
    }),
  ),
  checkedAt: DateTime,
  entitlements: Type.Optional(
    Type.Array(EntitlementOfName, {
      description: 'Where the app has named entitlements: one for each name, in their order.',
    }),
  ),
});
export type Entitlement = Static<typeof Entitlement>;

/** Same limits as ids of events. */
const UserId = Text(1, 128);
const AnonymousId = Text(8, 128);
const TransactionId = Text(1, 128);

const Offering = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9$][A-Za-z0-9._$-]{0,63}$',
    description:
      'The identifier of the offering in which it was bought. The first that is said of a purchase stays; cohorts of revenue break down by it.',
  }),
);

export const VerifyBody = Tolerant(
  {
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 60_000,
      description: 'The JWS that StoreKit hands to the app (`jwsRepresentation`).',
    }),
    userId: Type.Optional(UserId),
    anonymousId: Type.Optional(AnonymousId),
    offering: Offering,
  },
  {
    title: 'VerifyPurchaseBody',
    examples: [
      {
        signedTransaction:
          'eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImNvbS5leGFtcGxlIn0.c2lnbmF0dXJl',
        userId: 'user-8271',
      },
    ],
  },
);
export type VerifyInput = Static<typeof VerifyBody>;

export const PlayVerifyBody = Tolerant(
  {
    store: Type.Literal('google_play'),
    purchaseToken: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'Of a subscription or a one-time purchase, as Play Billing hands it to the app.',
    }),
    userId: Type.Optional(UserId),
    anonymousId: Type.Optional(AnonymousId),
    offering: Offering,
  },
  {
    title: 'VerifyPlayPurchaseBody',
    examples: [
      { store: 'google_play', purchaseToken: 'kfgmbpkjlhdplk.AO-J1Oz', userId: 'user-8271' },
    ],
  },
);
export type PlayVerifyInput = Static<typeof PlayVerifyBody>;

export const AnyVerifyBody = Type.Union([VerifyBody, PlayVerifyBody], {
  title: 'AnyVerifyPurchaseBody',
  examples: VerifyBody.examples,
  rule: 'must be a signedTransaction of the App Store or a purchaseToken of Google Play',
});

const ENTITLEMENT_QUESTION = {
  originalTransactionId: Type.Optional(TransactionId),
  appAccountToken: Type.Optional(
    Type.String({ pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' }),
  ),
  userId: Type.Optional(UserId),
  anonymousId: Type.Optional(AnonymousId),
  entitlement: Type.Optional({
    ...EntitlementName,
    description:
      'A named entitlement of the app: the answer is about its products alone, and about no other. Without it, and without productId, one answer stands for everything that the person bought, so a sticker pack would unlock the subscription.',
  }),
  productId: Type.Optional(
    Text(1, 256, {
      description: '1 to 256 characters. Limits the answer to one product; not with entitlement.',
    }),
  ),
  environment: Type.Optional(Environment),
};
export const NAMES_A_PERSON =
  'must name originalTransactionId, appAccountToken, userId or anonymousId';
export const EntitlementQuery = Tolerant(ENTITLEMENT_QUESTION);
/** Strict for backends: an unknown field is an error. */
export const BackendEntitlementQuery = Type.Object(ENTITLEMENT_QUESTION);
export type EntitlementInput = Static<typeof EntitlementQuery>;
export type SentIds = Pick<
  EntitlementInput,
  'anonymousId' | 'appAccountToken' | 'originalTransactionId' | 'userId'
>;

export const OwnershipRule = OneOf(['transfer', 'keep', 'share'], {
  description: 'What happens when another user presents the same transaction.',
});
export type OwnershipRule = Static<typeof OwnershipRule>;
const SandboxAccess = OneOf(['anybody', 'listed', 'nobody']);
const SandboxListed = Type.Array(Text(1, 128), {
  maxItems: 1_000,
  description: 'User ids, anonymous ids and account tokens that sandbox purchases entitle.',
});
const ForwardUrl = Nullable(Type.String({ maxLength: 2_048 }));

export const PurchaseSettings = Named('PurchaseSettings', {
  ownership: OwnershipRule,
  sandboxAccess: SandboxAccess,
  sandboxListed: SandboxListed,
  forwardUrl: ForwardUrl,
});
export type PurchaseSettings = Static<typeof PurchaseSettings>;

export const SettingsPatch = Type.Partial(PurchaseSettings, {
  title: 'PurchaseSettingsChange',
  examples: [{ ownership: 'transfer' }],
});
export type SettingsPatch = Static<typeof SettingsPatch>;

export const PatchedSettings = Type.Composite(
  [
    PurchaseSettings,
    Type.Object({
      forwardSecret: Type.Optional(
        Type.String({ description: 'Shown this once, when forwarding is switched on.' }),
      ),
    }),
  ],
  { title: 'ChangedPurchaseSettings' },
);
export type PatchedSettings = Static<typeof PatchedSettings>;

export const Holder = Named('PurchaseHolder', {
  kind: OneOf(['user', 'anonymous', 'token']),
  id: Type.String(),
});

export const AuditEntry = Named('PurchaseAuditEntry', {
  id: Type.String(),
  at: DateTime,
  environment: Environment,
  originalTransactionId: Nullable(Type.String()),
  action: OneOf([
    'linked',
    'claimed',
    'transferred',
    'kept',
    'shared',
    'granted',
    'revoked',
    'expired',
  ]),
  productId: Type.Optional(
    Type.String({ description: 'Of a grant (`granted`, `revoked`, `expired`).' }),
  ),
  entitlement: Type.Optional(Type.String({ description: 'Of a grant by name.' })),
  from: Nullable(Holder),
  to: Nullable(Holder),
  actor: Type.Object({
    kind: OneOf(['device', 'store', 'user', 'orgKey', 'system']),
    id: Nullable(Type.String()),
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AUDIT_PAGE = 50;

export const AuditQuery = Type.Object({
  originalTransactionId: Type.Optional(TransactionId),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: AUDIT_PAGE })),
});
export type AuditInput = Static<typeof AuditQuery>;

export const AuditPage = Named('PurchaseAuditPage', {
  entries: Type.Array(AuditEntry),
  nextCursor: Nullable(Type.String()),
});
export type AuditPage = Static<typeof AuditPage>;

/** The public name of a chain id. */
export const chainField = <Id extends string | null>(chainId: Id) => ({
  originalTransactionId: chainId,
});

export const namedChain = (input: { originalTransactionId?: string | null }): string | null =>
  input.originalTransactionId ?? null;
