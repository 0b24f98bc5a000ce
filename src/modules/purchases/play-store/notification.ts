import { Type } from '@sinclair/typebox';
import type { PlayKind } from '../../../providers/play-store/port.ts';
import { parser } from '../../../shared/schema.ts';

/** Base64 of the JSON; 48 KB of it in one push are far beyond any notification. */
const MAX_CHARACTERS = 65_536;

const Token = Type.String({ minLength: 1, maxLength: 4_096 });
const OfToken = Type.Object({ purchaseToken: Token });

/** Google adds kinds and fields at any time. */
const Notification = Type.Object({
  packageName: Type.String({ minLength: 1, maxLength: 256 }),
  subscriptionNotification: Type.Optional(OfToken),
  oneTimeProductNotification: Type.Optional(OfToken),
  voidedPurchaseNotification: Type.Optional(OfToken),
  eventTimeMillis: Type.Optional(Type.Unknown()),
  pendingRefundReviewNotification: Type.Optional(Type.Unknown()),
  testNotification: Type.Optional(Type.Object({})),
});
const millis = parser(Type.String({ pattern: '^[0-9]{1,15}$' }), 'time of a notification');
const review = parser(
  Type.Object({
    pendingRefundToken: Token,
    orderId: Type.String({ minLength: 1, maxLength: 256 }),
    refundReason: Type.Optional(Type.Integer()),
  }),
  'review of a refund',
);
const notification = parser(Notification, 'notification of Google Play');

export type Chargeback = {
  refundToken: string;
  orderId: string;
  reason: string | null;
  eventMs: number | null;
};

export type PlayNotification = {
  packageName: string;
  isTest: boolean;
  /** The list of voided purchases has something new. */
  isVoid: boolean;
  chargeback: Chargeback | null;
  /** To ask about; what the notification says of it is not believed. */
  token: { purchaseToken: string; kind: PlayKind } | null;
};

const CHARGEBACK = 7;

function readChargeback(body: unknown, eventTime: unknown): Chargeback | null {
  if (!review.check(body)) return null;
  const { pendingRefundToken: refundToken, orderId, refundReason: code } = body;
  const reason = code === CHARGEBACK ? 'CHARGEBACK' : code === undefined ? null : String(code);
  return {
    refundToken,
    orderId,
    reason,
    eventMs: millis.check(eventTime) ? Number(eventTime) : null,
  };
}

/** Null of what is no notification. */
export function readNotification(data: string): PlayNotification | null {
  if (data.length > MAX_CHARACTERS) return null;
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  if (!notification.check(body)) return null;
  const { subscriptionNotification, oneTimeProductNotification } = body;
  const isVoid = body.voidedPurchaseNotification !== undefined;
  const token = subscriptionNotification
    ? { purchaseToken: subscriptionNotification.purchaseToken, kind: 'subscription' as const }
    : oneTimeProductNotification
      ? { purchaseToken: oneTimeProductNotification.purchaseToken, kind: 'product' as const }
      : null;
  const { packageName } = body;
  const chargeback = readChargeback(body.pendingRefundReviewNotification, body.eventTimeMillis);
  return { packageName, isTest: body.testNotification !== undefined, isVoid, token, chargeback };
}
