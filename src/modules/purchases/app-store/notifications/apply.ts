import type { SystemContext } from '../../../../context.ts';
import * as port from '../../../../providers/store-server/port.ts';
import { isReal } from '../../../../shared/environment.ts';
import type { SignedRenewal, SignedTransaction } from '../../../../shared/purchase.ts';
import type { Tx } from '../../../../storage/postgres.ts';
import type { NotificationRunInput } from '../../../../temporal/contracts/purchases.ts';
import { announceChanges } from '../../ledger/announce-changes.ts';
import { type Facts, recordFacts } from '../../ledger/record-facts.ts';
import { closeRefundRequests, insertRefundRequest } from '../../ledger/refund-requests-queries.ts';
import type { ChainKey } from '../../model/chain.ts';
import type { RefundOutcome } from '../../model/refunds.ts';
import { claimChain } from '../../ownership/claim.ts';
import { APP_STORE } from '../connection/model.ts';
import { recordNotice } from '../notices/record.ts';
import { insertForward } from './forwards-queries.ts';
import * as queries from './queries.ts';

export type FollowUp = { orgId: string; appId: string; originalTransactionId: string | null };
export type Application = { forwards: FollowUp[]; refreshes: FollowUp[] };

export type OpenedNotification = {
  notification: port.Notification;
  transaction: SignedTransaction | null;
  renewal: SignedRenewal | null;
  appTransaction: port.AppTransaction | null;
};

function isOfApp({ notification, appTransaction }: OpenedNotification): boolean {
  if (!appTransaction) return true;
  const { environment, bundleId, appAppleId } = appTransaction;
  const isSame = environment === notification.environment && bundleId === notification.bundleId;
  return isSame && (!isReal(environment) || appAppleId === notification.appAppleId);
}

/** Same app, environment and chain. */
function isConsistent(opened: OpenedNotification): boolean {
  const { notification, transaction, renewal } = opened;
  const { environment, bundleId } = notification;
  if (!isOfApp(opened)) return false;
  if (transaction && transaction.snapshot.bundleId !== bundleId) return false;
  const parts = [transaction?.snapshot, renewal?.snapshot].filter((part) => part !== undefined);
  const chains = new Set(parts.map((part) => part.chainId));
  return chains.size <= 1 && parts.every((part) => part.environment === environment);
}

/** Throws `SignatureError`. */
export async function openNotification(
  { deps }: Pick<SystemContext<'signatures'>, 'deps'>,
  payload: string,
): Promise<OpenedNotification> {
  const { signatures } = deps;
  const notification = await signatures.notification(payload);
  const { signedTransaction, signedRenewal, signedAppTransaction } = notification;
  const opened = {
    notification,
    transaction: signedTransaction ? await signatures.transaction(signedTransaction) : null,
    renewal: signedRenewal ? await signatures.renewal(signedRenewal) : null,
    appTransaction: signedAppTransaction
      ? await signatures.appTransaction(signedAppTransaction)
      : null,
  };
  if (!isConsistent(opened)) throw new port.SignatureError('environment');
  return opened;
}

export function notifiedChainId({ transaction, renewal }: OpenedNotification): string | null {
  return (transaction ?? renewal)?.snapshot.chainId ?? null;
}

function toFacts(
  { notification, transaction, renewal }: OpenedNotification,
  { at, receivedAt }: { at: Date; receivedAt: Date },
): Facts {
  const { signedAt, status } = notification;
  const transactionId = transaction?.snapshot.transactionId ?? null;
  const asOf = Math.max(
    signedAt,
    transaction?.snapshot.signedAt ?? signedAt,
    renewal?.snapshot.signedAt ?? signedAt,
  );
  return {
    transaction,
    renewal,
    status: status === null ? null : { status, asOf, transactionId },
    checkedAt: new Date(Math.min(signedAt, at.getTime())),
    receivedAt,
  };
}

const OUTCOMES: Readonly<Record<string, RefundOutcome>> = {
  REFUND: 'refunded',
  REFUND_DECLINED: 'declined',
  REFUND_REVERSED: 'reversed',
};

async function noteRefund(
  tx: Tx,
  chain: ChainKey,
  { notification, transaction }: OpenedNotification,
  receivedAt: Date,
): Promise<void> {
  if (!transaction) return;
  const { notificationId, signedAt, type, refundReason } = notification;
  const { transactionId } = transaction.snapshot;
  const outcome = OUTCOMES[type];
  if (outcome) await closeRefundRequests(tx, chain, { transactionId, outcome, atMs: signedAt });
  if (type !== 'CONSUMPTION_REQUEST') return;
  await insertRefundRequest(tx, chain, {
    ...{ requestId: notificationId, transaction, receivedAt },
    ...{ reason: refundReason, askedMs: signedAt },
  });
}

/** Signing times guard the facts. */
async function applyToApp(
  { deps }: SystemContext<'clock' | 'sql'>,
  opened: OpenedNotification,
  { app, receivedAt, isLast }: { app: queries.ConcernedApp; receivedAt: Date; isLast: boolean },
): Promise<void> {
  const { environment, notificationId, type } = opened.notification;
  const key = { environment, notificationId };
  const chainId = notifiedChainId(opened);
  const { orgId, appId } = app;
  const chain = chainId === null ? null : { store: APP_STORE, orgId, appId, environment, chainId };
  const at = deps.clock();
  await deps.sql.begin(async (tx) => {
    const [, isNew, changes] = await Promise.all([
      queries.relaxCommit(tx),
      queries.insertApplied(tx, { ...key, ...app, type, receivedAt, at }),
      chain && recordFacts(tx, chain, toFacts(opened, { at, receivedAt })),
    ]);
    if (isNew && chain && opened.transaction?.snapshot.appAccountToken != null) {
      // Binds the chain to its account token.
      const nobody = { userId: null, anonymousId: null };
      await claimChain(tx, chain, { rule: 'keep', ...nobody, actor: { kind: 'store' }, at });
    }
    if (chain && isNew) await noteRefund(tx, chain, opened, receivedAt);
    await recordNotice(tx, app, opened, { receivedAt, at });
    if (chain && changes) await announceChanges(tx, chain, changes, at);
    await Promise.all([
      isNew && app.forwards ? insertForward(tx, { ...key, ...app, at }) : null,
      isLast ? queries.markApplied(tx, key, { at, error: null }) : null,
    ]);
  });
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'SUBSCRIBED',
  'DID_RENEW',
  'DID_CHANGE_RENEWAL_PREF',
  'DID_CHANGE_RENEWAL_STATUS',
  'OFFER_REDEEMED',
  'DID_FAIL_TO_RENEW',
  'GRACE_PERIOD_EXPIRED',
  'EXPIRED',
  'PRICE_INCREASE',
  'REFUND',
  'REFUND_REVERSED',
  'REFUND_DECLINED',
  'REVOKE',
  'CONSUMPTION_REQUEST',
  'RENEWAL_EXTENDED',
  'RENEWAL_EXTENSION',
  'ONE_TIME_CHARGE',
  'EXTERNAL_PURCHASE_TOKEN',
  'RESCIND_CONSENT',
  'METADATA_UPDATE',
  'MIGRATION',
  'PRICE_CHANGE',
  'TEST',
]);

/** A failing app leaves it pending without blocking the others. */
async function applyToApps(
  ctx: SystemContext<'clock' | 'sql'>,
  opened: OpenedNotification,
  receivedAt: Date,
): Promise<Application> {
  const { sql, clock } = ctx.deps;
  const { environment, notificationId, type } = opened.notification;
  const apps = await queries.selectConcernedApps(sql, opened.notification);
  if (apps.length === 0) {
    const error = 'No app has this bundle id any more.';
    await queries.markApplied(sql, { environment, notificationId }, { at: clock(), error });
  }
  const failures: unknown[] = [];
  for (const [index, app] of apps.entries()) {
    const isLast = index === apps.length - 1 && failures.length === 0;
    await applyToApp(ctx, opened, { app, receivedAt, isLast }).catch((thrown: unknown) => {
      failures.push(thrown);
    });
  }
  if (failures.length > 0) throw failures[0];
  const chainId = notifiedChainId(opened);
  const followUp = ({ orgId, appId }: queries.ConcernedApp) => ({
    ...{ orgId, appId, originalTransactionId: chainId },
  });
  const isUnclear = !KNOWN_TYPES.has(type) && chainId !== null;
  return {
    forwards: apps.filter((app) => app.forwards).map(followUp),
    refreshes: isUnclear ? apps.map(followUp) : [],
  };
}

const NOTHING: Application = { forwards: [], refreshes: [] };

export async function applyPurchaseNotification(
  ctx: SystemContext<'clock' | 'log' | 'signatures' | 'sql'>,
  { environment, notificationId }: NotificationRunInput,
): Promise<Application> {
  const { sql, clock, log } = ctx.deps;
  const key = { environment, notificationId };
  const stored = await queries.selectNotification(sql, key);
  if (!stored) return NOTHING;
  try {
    const opened = await openNotification(ctx, stored.payload);
    return await applyToApps(ctx, opened, stored.receivedAt);
  } catch (thrown) {
    if (!(thrown instanceof port.SignatureError)) throw thrown;
    log.warn({ err: thrown, ...key }, 'notification could not be applied');
    await queries.markApplied(sql, key, { at: clock(), error: thrown.message });
    return NOTHING;
  }
}
