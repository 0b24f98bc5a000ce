import type { SystemContext } from '../../../context.ts';
import { type HistoryWindow, SignatureError } from '../../../providers/store-server/port.ts';
import { STORE_ENVIRONMENTS, type StoreEnvironment } from '../../../shared/environment.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import type { RecoveryPlan, RecoveryRunInput } from '../../../temporal/contracts/purchases.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { toStoreError } from '../model/store.ts';
import { recordRecovery, recordRecoveryStart, selectRecoveredThrough } from './history-queries.ts';
import { storeNotification } from './notifications/receive.ts';
import { askStore, openPurchaseKey } from './connection/purchase-key.ts';

/** The store keeps 180 and 30 days, but has refused earlier starts within that. */
const REACH_MS: Readonly<Record<StoreEnvironment, number>> = {
  Production: 160 * DAY_MS,
  Sandbox: 28 * DAY_MS,
};
/** Notifications can appear in the history later than their own time. */
const OVERLAP_MS = 6 * HOUR_MS;

const SLICE_MS = DAY_MS;

const parseEnvironment = parser(OneOf(STORE_ENVIRONMENTS), 'environment of a recovery');

export type RecoveryStep = RecoveryRunInput & {
  environment: StoreEnvironment;
  window: HistoryWindow;
  paginationToken: string | null;
};

export type RecoveryPage = {
  stored: number;
  paginationToken: string | null;
  /** No key, or an app unknown to the store in this environment. */
  isOver: boolean;
};

export async function planPurchaseRecovery(
  { deps }: SystemContext<'clock' | 'sql'>,
  input: RecoveryRunInput & { environment: StoreEnvironment },
): Promise<RecoveryPlan> {
  const { orgId, appId } = input;
  const environment = parseEnvironment.parse(input.environment);
  const key = { orgId, appId, environment };
  const now = deps.clock();
  const through = await selectRecoveredThrough(deps.sql, key);
  await recordRecoveryStart(deps.sql, key, now);
  const nowMs = now.getTime();
  const furthest = nowMs - REACH_MS[environment];
  const startMs = through ? Math.max(through.getTime() - OVERLAP_MS, furthest) : furthest;
  const isLast = startMs + SLICE_MS >= nowMs;
  return { startMs, endMs: isLast ? nowMs : startMs + SLICE_MS, isLast };
}

async function storeRecovered(
  ctx: SystemContext<'clock' | 'log' | 'signatures' | 'sql' | 'temporal'>,
  signedPayload: string,
): Promise<boolean> {
  try {
    const notification = await ctx.deps.signatures.notification(signedPayload);
    return (await storeNotification(ctx, notification, signedPayload)).isNew;
  } catch (thrown) {
    if (!(thrown instanceof SignatureError)) throw thrown;
    ctx.deps.log.warn(
      { err: thrown },
      'notification of the history was skipped: its signature is not valid',
    );
    return false;
  }
}

/** Watermark after this window; null for a window that would hide a gap. */
async function recoveredThrough(
  { deps }: SystemContext<'clock' | 'sql'>,
  { orgId, appId, environment, window }: RecoveryStep,
): Promise<Date | null> {
  const nowMs = deps.clock().getTime();
  const through = await selectRecoveredThrough(deps.sql, { orgId, appId, environment });
  const readMs = Math.max(through?.getTime() ?? 0, nowMs - REACH_MS[environment]);
  const { startMs, endMs } = window;
  return startMs <= readMs && endMs <= nowMs ? new Date(Math.max(endMs, readMs)) : null;
}

export async function recoverPurchasePage(
  ctx: SystemContext<
    'clock' | 'log' | 'secrets' | 'signatures' | 'sql' | 'storeServer' | 'temporal'
  >,
  step: RecoveryStep,
): Promise<RecoveryPage> {
  const { deps } = ctx;
  const { orgId, appId } = step;
  const environment = parseEnvironment.parse(step.environment);
  const done: RecoveryPage = { stored: 0, paginationToken: null, isOver: false };
  const profile = await selectProfile(deps.sql, { orgId, appId });
  const key = profile?.bundleId && (await openPurchaseKey({ deps, orgId }, profile.bundleId));
  if (!key) return { ...done, isOver: true };
  try {
    const page = await askStore({ deps, orgId }, key, () =>
      deps.storeServer.notificationHistory(key, environment, step.window, step.paginationToken),
    );
    for (const payload of page.signedPayloads) {
      if (await storeRecovered(ctx, payload)) done.stored += 1;
    }
    done.paginationToken = page.paginationToken;
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    const scope = { orgId, appId, environment };
    const note = { startedAt: deps.clock(), through: null, error: errorMessage(thrown) };
    await recordRecovery(deps.sql, scope, note);
    if (thrown.failure === 'not_found') return { ...done, isOver: true };
    throw toStoreError(thrown);
  }
  if (done.paginationToken === null) {
    const through = await recoveredThrough(ctx, step);
    const note = { startedAt: deps.clock(), through, error: null };
    await recordRecovery(deps.sql, { orgId, appId, environment }, note);
  }
  return done;
}
