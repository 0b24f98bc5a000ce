import type { SystemContext } from '../../context.ts';
import {
  type Environment,
  type Notification,
  SignatureError,
  type SignedRenewal,
  type SignedTransaction,
} from '../../providers/store-server/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import type { NotificationRunInput } from '../../temporal/contracts/purchases.ts';
import { claimChain } from './claim.ts';
import type { ChainKey } from './facts-queries.ts';
import { insertForward } from './forwards-queries.ts';
import { isKnownType } from './notification-types.ts';
import {
  type ConcernedApp,
  insertApplied,
  markApplied,
  type NotificationKey,
  relaxCommit,
  selectConcernedApps,
  selectNotification,
} from './notifications-queries.ts';
import { recordFacts } from './record-facts.ts';

/** What is left to do after the facts are in. */
export type FollowUp = { orgId: string; appId: string; originalTransactionId: string | null };
export type Application = { forwards: FollowUp[]; refreshes: FollowUp[] };

export type Content = {
  notification: Notification;
  transaction: SignedTransaction | null;
  renewal: SignedRenewal | null;
};

function isOdd({ notification, ...parts }: Content): boolean {
  const transaction = parts.transaction?.snapshot;
  const renewal = parts.renewal?.snapshot;
  const { environment, bundleId } = notification;
  if (renewal && renewal.environment !== environment) return true;
  if (!transaction) return false;
  if (transaction.environment !== environment || transaction.bundleId !== bundleId) return true;
  return (
    renewal !== undefined && transaction.originalTransactionId !== renewal.originalTransactionId
  );
}

/** The parts are signed for themselves; they must be about the same app, environment and chain. */
export async function openNotification(
  { deps }: Pick<SystemContext, 'deps'>,
  payload: string,
): Promise<Content> {
  const notification = await deps.signatures.notification(payload);
  const { signedTransaction, signedRenewal } = notification;
  const transaction = signedTransaction
    ? await deps.signatures.transaction(signedTransaction)
    : null;
  const renewal = signedRenewal ? await deps.signatures.renewal(signedRenewal) : null;
  const content = { notification, transaction, renewal };
  if (isOdd(content)) throw new SignatureError('environment');
  return content;
}

export function chainOf({ transaction, renewal }: Content): string | null {
  return (transaction ?? renewal)?.snapshot.originalTransactionId ?? null;
}

function statusOf({ notification, ...parts }: Content) {
  if (notification.status === null) return null;
  const transaction = parts.transaction?.snapshot;
  const renewal = parts.renewal?.snapshot;
  const asOf = Math.max(notification.signedAt, transaction?.signedAt ?? 0, renewal?.signedAt ?? 0);
  return {
    status: notification.status,
    asOf,
    transactionId: transaction?.transactionId ?? null,
  };
}

function keyFor(content: Content, app: ConcernedApp): ChainKey | null {
  const originalTransactionId = chainOf(content);
  if (originalTransactionId === null) return null;
  const { environment } = content.notification;
  return { orgId: app.orgId, appId: app.appId, environment, originalTransactionId };
}

async function recordFor(
  tx: Tx,
  content: Content,
  key: ChainKey | null,
  { now, receivedAt }: { now: Date; receivedAt: Date },
): Promise<void> {
  if (!key) return;
  const { notification, transaction, renewal } = content;
  const checkedAt = new Date(Math.min(notification.signedAt, now.getTime()));
  const status = statusOf(content);
  await recordFacts(tx, key, { transaction, renewal, status, checkedAt, receivedAt });
}

/** The account that a purchase was signed for holds it, also before its device says so. */
async function claimFor(tx: Tx, content: Content, key: ChainKey | null, now: Date): Promise<void> {
  if (!key || content.transaction?.snapshot.appAccountToken == null) return;
  const nobody = { userId: null, anonymousId: null };
  await claimChain(tx, key, { rule: 'keep', ...nobody, actor: { kind: 'store' }, at: now });
}

type ApplyTo = { app: ConcernedApp; receivedAt: Date; isLast: boolean };

/**
 * One transaction for each app: the trouble of one organization is not that of the next. The facts
 * are guarded by themselves; everything else is done where this app has not taken it in before.
 */
async function applyTo(
  { deps }: SystemContext,
  content: Content,
  { app, receivedAt, isLast }: ApplyTo,
): Promise<void> {
  const { environment, notificationId, type } = content.notification;
  const key = { environment, notificationId };
  const chain = keyFor(content, app);
  const at = deps.clock();
  await deps.sql.begin(async (tx) => {
    const [, isNew] = await Promise.all([
      relaxCommit(tx),
      insertApplied(tx, { ...key, ...app, type, receivedAt, at }),
      recordFor(tx, content, chain, { now: at, receivedAt }),
    ]);
    if (isNew) await claimFor(tx, content, chain, at);
    await Promise.all([
      isNew && app.forwards ? insertForward(tx, { ...key, ...app, at }) : null,
      isLast ? markApplied(tx, key, { at, error: null }) : null,
    ]);
  });
}

const NOTHING: Application = { forwards: [], refreshes: [] };

/** Applies to all; one that fails leaves the notification waiting, and holds up no other. */
async function applyToAll(
  ctx: SystemContext,
  content: Content,
  apps: readonly ConcernedApp[],
  receivedAt: Date,
): Promise<void> {
  const faults: unknown[] = [];
  for (const [index, app] of apps.entries()) {
    const isLast = index === apps.length - 1 && faults.length === 0;
    try {
      await applyTo(ctx, content, { app, receivedAt, isLast });
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}

async function applyContent(
  ctx: SystemContext,
  content: Content,
  receivedAt: Date,
): Promise<Application> {
  const { deps } = ctx;
  const { environment, notificationId, type } = content.notification;
  const apps = await selectConcernedApps(deps.sql, content.notification);
  if (apps.length === 0) {
    const error = 'No app has this bundle id any more.';
    await markApplied(deps.sql, { environment, notificationId }, { at: deps.clock(), error });
  }
  await applyToAll(ctx, content, apps, receivedAt);
  const originalTransactionId = chainOf(content);
  const followUp = ({ orgId, appId }: ConcernedApp) => ({ orgId, appId, originalTransactionId });
  const isUnclear = !isKnownType(type) && originalTransactionId !== null;
  return {
    forwards: apps.filter((app) => app.forwards).map(followUp),
    refreshes: isUnclear ? apps.map(followUp) : [],
  };
}

/** Only the store's two environments reach a workflow's input. */
function keyOf(input: NotificationRunInput): NotificationKey {
  const environment: Environment = input.environment === 'Sandbox' ? 'Sandbox' : 'Production';
  return { environment, notificationId: input.notificationId };
}

/**
 * Applies a stored notification to each app of its bundle, once. What it says is a hint only: the
 * entitlement is folded anew from the transaction, renewal and status inside, each guarded by the
 * time it was signed at. Running it again changes nothing.
 */
export async function applyNotification(
  ctx: SystemContext,
  input: NotificationRunInput,
): Promise<Application> {
  const { deps } = ctx;
  const key = keyOf(input);
  const stored = await selectNotification(deps.sql, key);
  if (!stored) return NOTHING;
  try {
    const content = await openNotification(ctx, stored.payload);
    return await applyContent(ctx, content, stored.receivedAt);
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    // Signed outside, odd inside: no later attempt will make it better.
    deps.log.warn({ err: thrown, ...key }, 'A notification cannot be applied');
    await markApplied(deps.sql, key, { at: deps.clock(), error: thrown.message });
    return NOTHING;
  }
}
