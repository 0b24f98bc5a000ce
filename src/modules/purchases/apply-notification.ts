import type { SystemContext } from '../../context.ts';
import {
  type Environment,
  type Notification,
  type RenewalSnapshot,
  SignatureError,
  type TransactionSnapshot,
} from '../../providers/store-server/port.ts';
import type { Tx } from '../../storage/postgres.ts';
import type { NotificationRunInput } from '../../temporal/contracts/purchases.ts';
import { claimChain } from './claim.ts';
import { insertForward } from './forwards-store.ts';
import { isKnownType } from './notification-types.ts';
import {
  type ConcernedApp,
  insertApplied,
  markApplied,
  type NotificationKey,
  selectConcernedApps,
  selectNotification,
} from './notifications-store.ts';
import { recordFacts } from './record-facts.ts';

/** What is left to do after the facts are in. */
export type FollowUp = { orgId: string; appId: string; originalTransactionId: string | null };
export type Application = { forwards: FollowUp[]; refreshes: FollowUp[] };

type Content = {
  notification: Notification;
  transaction: TransactionSnapshot | null;
  renewal: RenewalSnapshot | null;
};

/** The parts are signed for themselves; they must be about the same app, environment and chain. */
async function open({ deps }: SystemContext, payload: string): Promise<Content> {
  const notification = await deps.signatures.notification(payload);
  const { signedTransaction, signedRenewal } = notification;
  const transaction = signedTransaction
    ? await deps.signatures.transaction(signedTransaction)
    : null;
  const renewal = signedRenewal ? await deps.signatures.renewal(signedRenewal) : null;
  const { environment, bundleId } = notification;
  const isOdd =
    (transaction &&
      (transaction.environment !== environment || transaction.bundleId !== bundleId)) ||
    (renewal && renewal.environment !== environment) ||
    (transaction && renewal && transaction.originalTransactionId !== renewal.originalTransactionId);
  if (isOdd) throw new SignatureError('environment');
  return { notification, transaction, renewal };
}

function chainOf({ transaction, renewal }: Content): string | null {
  return transaction?.originalTransactionId ?? renewal?.originalTransactionId ?? null;
}

function statusOf({ notification, transaction, renewal }: Content) {
  if (notification.status === null) return null;
  const asOf = Math.max(notification.signedAt, transaction?.signedAt ?? 0, renewal?.signedAt ?? 0);
  return {
    status: notification.status,
    asOf,
    transactionId: transaction?.transactionId ?? null,
  };
}

async function recordFor(tx: Tx, content: Content, app: ConcernedApp, now: Date): Promise<void> {
  const { notification, transaction, renewal } = content;
  const originalTransactionId = chainOf(content);
  if (originalTransactionId === null) return;
  const { environment } = notification;
  const key = { orgId: app.orgId, appId: app.appId, environment, originalTransactionId };
  const said = new Date(Math.min(notification.signedAt, now.getTime()));
  await recordFacts(tx, key, {
    transaction,
    renewal,
    status: statusOf(content),
    checkedAt: said,
  });
  if (transaction?.appAccountToken == null) return;
  const actor = { kind: 'store' as const };
  const nobody = { userId: null, anonymousId: null };
  await claimChain(tx, key, { rule: 'keep', ...nobody, actor, at: now });
}

/** One transaction for each app: the trouble of one organization is not that of the next. */
async function applyTo(
  { deps }: SystemContext,
  content: Content,
  app: ConcernedApp,
  receivedAt: Date,
): Promise<boolean> {
  const { environment, notificationId, type } = content.notification;
  const at = deps.clock();
  return deps.sql.begin(async (tx) => {
    const key = { environment, notificationId };
    if (!(await insertApplied(tx, { ...key, ...app, type, receivedAt, at }))) return false;
    await recordFor(tx, content, app, at);
    if (app.forwards) await insertForward(tx, { ...key, ...app, at });
    return true;
  });
}

const NOTHING: Application = { forwards: [], refreshes: [] };

async function applyContent(
  ctx: SystemContext,
  content: Content,
  receivedAt: Date,
): Promise<Application> {
  const { notification } = content;
  const done: Application = { forwards: [], refreshes: [] };
  const originalTransactionId = chainOf(content);
  for (const app of await selectConcernedApps(ctx.deps.sql, notification)) {
    await applyTo(ctx, content, app, receivedAt);
    const followUp = { orgId: app.orgId, appId: app.appId, originalTransactionId };
    if (app.forwards) done.forwards.push(followUp);
    const isUnclear = !isKnownType(notification.type) && originalTransactionId !== null;
    if (isUnclear) done.refreshes.push(followUp);
  }
  return done;
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
    const content = await open(ctx, stored.payload);
    const done = await applyContent(ctx, content, stored.receivedAt);
    await markApplied(deps.sql, key, { at: deps.clock(), error: null });
    return done;
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    // Signed outside, odd inside: no later attempt will make it better.
    deps.log.warn({ err: thrown, ...key }, 'A notification cannot be applied');
    await markApplied(deps.sql, key, { at: deps.clock(), error: thrown.message });
    return NOTHING;
  }
}
