import type { SystemContext } from '../../context.ts';
import {
  type Environment,
  type HistoryWindow,
  type PurchaseKey,
  SignatureError,
} from '../../providers/store-server/port.ts';
import { messageOf } from '../../shared/errors.ts';
import { ProviderError } from '../../shared/provider-error.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import type { RecoveryPlan, RecoveryRunInput } from '../../temporal/contracts/purchases.ts';
import { askStore, openPurchaseKey } from './purchase-key.ts';
import { storeNotification } from './receive-notification.ts';
import { noteRecovery, selectRecoveredThrough } from './recovery-queries.ts';
import { selectProfile } from './settings-queries.ts';
import { toStoreAppError } from './store-errors.ts';

/** The store keeps 180 and 30 days, but has refused a start well inside of that. */
const REACH_MS: Readonly<Record<Environment, number>> = {
  Production: 160 * DAY_MS,
  Sandbox: 28 * DAY_MS,
};
/** Read again each time: a notification can appear in the history after the time it bears. */
const OVERLAP_MS = 6 * HOUR_MS;

/** One piece of the history: what was read stays read although a later piece fails. */
const SLICE_MS = DAY_MS;

export type RecoveryStep = RecoveryRunInput & {
  environment: string;
  window: HistoryWindow;
  paginationToken: string | null;
};

export type RecoveryPage = {
  stored: number;
  paginationToken: string | null;
  /** There is no history to read: no key, or the store does not know the app here. */
  isOver: boolean;
};

const environmentOf = (word: string): Environment =>
  word === 'Sandbox' ? 'Sandbox' : 'Production';

/** Which piece of the history is due, oldest first. */
export async function planRecovery(
  { deps }: SystemContext,
  input: RecoveryRunInput & { environment: string },
): Promise<RecoveryPlan> {
  const environment = environmentOf(input.environment);
  const key = { orgId: input.orgId, appId: input.appId, environment };
  const now = deps.clock();
  const through = await selectRecoveredThrough(deps.sql, key);
  await noteRecovery(deps.sql, key, { startedAt: now, through: null, error: null });
  const nowMs = now.getTime();
  const furthest = nowMs - REACH_MS[environment];
  const startMs = through ? Math.max(through.getTime() - OVERLAP_MS, furthest) : furthest;
  const isLast = startMs + SLICE_MS >= nowMs;
  return { startMs, endMs: isLast ? nowMs : startMs + SLICE_MS, isLast };
}

async function takeOne(ctx: SystemContext, signedPayload: string): Promise<boolean> {
  try {
    const notification = await ctx.deps.signatures.notification(signedPayload);
    return (await storeNotification(ctx, notification, signedPayload)).isNew;
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    ctx.deps.log.warn({ err: thrown }, 'The history holds a notification that cannot be trusted');
    return false;
  }
}

async function keyOf(ctx: SystemContext, input: RecoveryRunInput): Promise<PurchaseKey | null> {
  const { orgId, appId } = input;
  const profile = await selectProfile(ctx.deps.sql, { orgId, appId });
  if (profile?.bundleId == null) return null;
  return openPurchaseKey({ deps: ctx.deps, orgId }, profile.bundleId);
}

/**
 * Reads one page of the store's notification history, through the same path as what the store sends
 * itself. An app that the store does not know in this environment has no history.
 */
export async function recoverPage(ctx: SystemContext, step: RecoveryStep): Promise<RecoveryPage> {
  const { deps } = ctx;
  const environment = environmentOf(step.environment);
  const { orgId, appId } = step;
  const done: RecoveryPage = { stored: 0, paginationToken: null, isOver: false };
  const key = await keyOf(ctx, step);
  if (!key) return { ...done, isOver: true };
  try {
    const page = await askStore({ deps, orgId }, key, () =>
      deps.storeServer.notificationHistory(key, environment, step.window, step.paginationToken),
    );
    for (const payload of page.signedPayloads) {
      if (await takeOne(ctx, payload)) done.stored += 1;
    }
    done.paginationToken = page.paginationToken;
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const scope = { orgId, appId, environment };
    const note = { startedAt: deps.clock(), through: null, error: messageOf(thrown) };
    await noteRecovery(deps.sql, scope, note);
    if (thrown.failure === 'not_found') return { ...done, isOver: true };
    throw toStoreAppError(thrown);
  }
  if (done.paginationToken === null) {
    const through = new Date(step.window.endMs);
    const note = { startedAt: deps.clock(), through, error: null };
    await noteRecovery(deps.sql, { orgId, appId, environment }, note);
  }
  return done;
}
