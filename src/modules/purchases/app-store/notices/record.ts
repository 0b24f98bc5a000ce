import type { AppTransaction, Notification } from '../../../../providers/store-server/port.ts';
import type { AppScope } from '../../../../shared/app.ts';
import { must } from '../../../../shared/assert.ts';
import { isReal } from '../../../../shared/environment.ts';
import type { Tx } from '../../../../storage/postgres.ts';
import { enqueueMessage } from '../../../messages/index.ts';
import { announce, type StoreNoticeData } from '../../../webhooks/index.ts';
import { APP_STORE } from '../connection/model.ts';
import { NOTICE_KINDS, type NoticeKind, type StoreNotice } from './model.ts';
import { insertNotice, selectNotice } from './queries.ts';

const TEXTS: Readonly<Record<NoticeKind, string>> = {
  consent_rescinded:
    'A parent or guardian withdrew consent for a child. Stop access and processing for this customer, then mark the notice as dealt with under Purchases.',
  external_purchase_token:
    'The store has an external purchase token without a report. Report it to the store, then mark the notice as dealt with under Purchases.',
};

const TYPES = {
  consent_rescinded: 'consent.rescinded.v1',
  external_purchase_token: 'external_purchase.token_received.v1',
} as const;

type NoticeSource = { notification: Notification; appTransaction: AppTransaction | null };

function toData(appId: string, notice: StoreNotice): StoreNoticeData {
  const { id: noticeId, kind: _, receivedAt, resolvedAt, notifiedAt, ...rest } = notice;
  return { appId, store: APP_STORE, noticeId, ...rest, occurredAt: notifiedAt };
}

export async function recordNotice(
  tx: Tx,
  { orgId, appId }: AppScope,
  { notification, appTransaction }: NoticeSource,
  { receivedAt, at }: { receivedAt: Date; at: Date },
): Promise<void> {
  const kind = NOTICE_KINDS[notification.type];
  if (kind === undefined) return;
  const {
    environment,
    notificationId: noticeId,
    externalPurchaseId,
    tokenCreatedAt,
  } = notification;
  const isNew = await insertNotice(tx, {
    ...{ orgId, appId, environment, noticeId, kind, externalPurchaseId, tokenCreatedAt },
    ...{ reason: notification.subtype, appTransactionId: appTransaction?.appTransactionId ?? null },
    ...{ notifiedAt: new Date(notification.signedAt), receivedAt },
  });
  if (!isNew) return;
  const scope = { orgId, appId };
  const notice = must(await selectNotice(tx, scope, noticeId), 'the notice was just inserted');
  const eventId = `evt_${new Bun.CryptoHasher('sha256').update(`${appId} ${noticeId}`).digest('hex').slice(0, 32)}`;
  const { userIds, anonymousIds } = notice;
  await announce(tx, () => at, {
    ...{ orgId, type: TYPES[kind], data: toData(appId, notice), eventId },
    personIds: [...userIds, ...anonymousIds],
  });
  if (!isReal(environment)) return;
  const message = { messageId: eventId, appId, kind: 'alert' as const, text: TEXTS[kind] };
  await enqueueMessage(tx, { orgId, at }, message);
}
