import type { Store } from '../../shared/stores.ts';
import type { PurchaseEventType, WebhookEventType } from './events.ts';

/** Null for data that the store did not sign. */
export type PurchaseEventData = {
  appId: string;
  environment: 'Production' | 'Sandbox';
  store: Store;
  /** Names of the app that the product stands under. */
  entitlements: string[];
  originalTransactionId: string;
  transactionId: string;
  productId: string;
  productType: string;
  previousProductId: string | null;
  userIds: string[];
  anonymousIds: string[];
  appAccountToken: string | null;
  ownership: 'purchased' | 'family_shared';
  /** Customer price in minor units of `currency`. */
  priceMinor: number | null;
  currency: string | null;
  /** Storefront, ISO 3166-1 alpha-2. */
  country: string | null;
  period: {
    kind: 'trial' | 'offer' | 'standard';
    startsAt: string;
    endsAt: string | null;
    graceEndsAt: string | null;
  } | null;
  offer: { type: string | null; id: string | null } | null;
  willRenew: boolean | null;
  reason: string | null;
  occurredAt: string;
};

export type StoreNoticeData = Pick<PurchaseEventData, 'appId' | 'environment' | 'store'> & {
  noticeId: string;
  reason: string | null;
  appTransactionId: string | null;
  externalPurchaseId: string | null;
  tokenCreatedAt: string | null;
  userIds: string[];
  anonymousIds: string[];
  occurredAt: string;
};

const PURCHASE: PurchaseEventData = {
  appId: 'app_01kajw5g3me7t8q2w4r6y9b1cd',
  environment: 'Production',
  store: 'app_store',
  entitlements: [],
  originalTransactionId: '2000000900000001',
  transactionId: '2000000900000002',
  productId: 'com.example.pro.monthly',
  productType: 'subscription',
  previousProductId: null,
  userIds: ['user-42'],
  anonymousIds: [],
  appAccountToken: null,
  ownership: 'purchased',
  priceMinor: 999,
  currency: 'USD',
  country: 'US',
  period: {
    kind: 'standard',
    startsAt: '2026-11-21T09:00:00.000Z',
    endsAt: '2026-12-21T09:00:00.000Z',
    graceEndsAt: null,
  },
  offer: null,
  willRenew: true,
  reason: null,
  occurredAt: '2026-11-21T09:00:00.000Z',
};
const TRIAL: PurchaseEventData = {
  ...PURCHASE,
  transactionId: '2000000900000001',
  priceMinor: 0,
  period: {
    kind: 'trial',
    startsAt: '2026-11-21T09:00:00.000Z',
    endsAt: '2026-11-28T09:00:00.000Z',
    graceEndsAt: null,
  },
  offer: { type: 'introductory', id: null },
};
const ONE_TIME: PurchaseEventData = {
  ...PURCHASE,
  productId: 'com.example.coins',
  productType: 'consumable',
  period: null,
  willRenew: null,
};

const PURCHASES: Readonly<Record<PurchaseEventType, PurchaseEventData>> = {
  'subscription.trial_started.v1': TRIAL,
  'subscription.trial_converted.v1': PURCHASE,
  'subscription.started.v1': PURCHASE,
  'subscription.renewed.v1': { ...PURCHASE, reason: 'billing_recovered' },
  'subscription.product_changed.v1': {
    ...PURCHASE,
    previousProductId: 'com.example.basic.monthly',
  },
  'subscription.canceled.v1': { ...PURCHASE, willRenew: false },
  'subscription.uncanceled.v1': PURCHASE,
  'subscription.billing_issue.v1': { ...PURCHASE, reason: 'billing_retry' },
  'subscription.expired.v1': { ...PURCHASE, willRenew: false, reason: 'canceled' },
  'purchase.completed.v1': ONE_TIME,
  'purchase.refunded.v1': { ...ONE_TIME, reason: 'app_issue' },
  'purchase.refund_reversed.v1': ONE_TIME,
  'purchase.unshared.v1': { ...PURCHASE, ownership: 'family_shared', willRenew: false },
};

const CONSENT: StoreNoticeData = {
  appId: PURCHASE.appId,
  environment: PURCHASE.environment,
  store: PURCHASE.store,
  noticeId: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
  reason: null,
  appTransactionId: '704895312345678901',
  externalPurchaseId: null,
  tokenCreatedAt: null,
  userIds: PURCHASE.userIds,
  anonymousIds: [],
  occurredAt: PURCHASE.occurredAt,
};

export const EVENT_EXAMPLES: Readonly<Record<WebhookEventType, Record<string, unknown>>> = {
  'app.created': {
    id: PURCHASE.appId,
    orgId: 'org_01kajw5g3me7t8q2w4r6y9b1cd',
    slug: 'plant-diary',
    displayName: 'Plant Diary',
    region: 'us-east-1',
    status: 'provisioning',
    source: 'built_here',
    bundleId: null,
    storeAppId: null,
    iconUrl: null,
    store: null,
    createdAt: '2026-11-21T09:00:00.000Z',
    backend: null,
  },
  'app.deleted': { id: PURCHASE.appId, slug: 'plant-diary', displayName: 'Plant Diary' },
  'entitlement.changed': {
    appId: PURCHASE.appId,
    environment: PURCHASE.environment,
    originalTransactionId: PURCHASE.originalTransactionId,
  },
  'store.connection_changed': { status: 'connected', lastError: null },
  'audit.recorded': {
    id: 'aud_01kajw5g3me7t8q2w4r6y9b1cd',
    at: '2026-11-21T09:00:00.000Z',
    actorKind: 'user',
    actorId: 'Zk3mPq7t8q2w4r6y9b1cd',
    operation: 'updateFlag',
    appId: PURCHASE.appId,
    changes: [
      {
        of: 'flags',
        id: { flag_id: 'flg_01kajw5g3me7t8q2w4r6y9b1cd' },
        before: { on: false },
        after: { on: true },
      },
    ],
    address: '192.0.2.7',
    userAgent: null,
    requestId: 'req_01kajw5g3me7t8q2w4r6y9b1ce',
  },
  'event.received': {
    appId: PURCHASE.appId,
    environment: 'production',
    name: 'purchase_completed',
    personId: 'user-42',
    userId: 'user-42',
    anonymousId: 'device-0001',
    sessionId: null,
    occurredAt: '2026-11-21T08:59:58.000Z',
    receivedAt: '2026-11-21T08:59:59.000Z',
    platform: 'ios',
    appVersion: '1.4.0',
    osVersion: '18.1',
    locale: 'de-DE',
    country: 'DE',
    props: { plan: 'year' },
  },
  ...PURCHASES,
  'consent.rescinded.v1': CONSENT,
  'external_purchase.token_received.v1': {
    ...CONSENT,
    reason: 'UNREPORTED',
    appTransactionId: null,
    externalPurchaseId: 'b2158121-7af9-49d4-9561-1f588205523e',
    tokenCreatedAt: '2026-11-11T09:00:00.000Z',
    userIds: [],
  },
  'webhook.test': { webhookId: 'whk_01kajw5g3me7t8q2w4r6y9b1cd' },
};
