import type { DeviceContext } from '../../context.ts';
import { ENVIRONMENTS, type Environment } from '../../providers/store-server/port.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import {
  type Chain,
  entitlementOf,
  LEEWAY_WITH_KEY_MS,
  LEEWAY_WITHOUT_KEY_MS,
  type Verdict,
} from './entitlement.ts';
import type { Entitlement, EntitlementInput } from './model.ts';
import { type PersonIds, selectHeldChains } from './people-queries.ts';
import { isSandboxAllowed } from './sandbox.ts';
import type { PurchaseProfile } from './settings-queries.ts';

/** One question refreshes this many chains at most. */
const MAX_REFRESHES = 3;

export type EntitlementQuestion = {
  ids: PersonIds;
  productId: string | null;
  environment: Environment | null;
  /** The store may be asked about rows that are out of date. */
  mayAsk: boolean;
};

/** All that are allowed, or the one that was asked for where it is. */
function environmentsOf(question: EntitlementQuestion, profile: PurchaseProfile): Environment[] {
  const wanted = question.environment ? [question.environment] : ENVIRONMENTS;
  const sandbox = isSandboxAllowed(profile.settings, question.ids);
  return wanted.filter((environment) => environment === 'Production' || sandbox);
}

/** The best that a person holds in any of the allowed environments. */
function answer(
  chains: readonly Chain[],
  question: EntitlementQuestion,
  profile: PurchaseProfile,
  nowMs: number,
): Verdict {
  const allowed = environmentsOf(question, profile);
  return entitlementOf(
    chains.filter((chain) => allowed.includes(chain.environment)),
    {
      nowMs,
      leewayMs: profile.hasKey ? LEEWAY_WITH_KEY_MS : LEEWAY_WITHOUT_KEY_MS,
      productId: question.productId,
      environment: question.environment ?? 'Production',
    },
  );
}

/** Asks the store about rows that are out of date; true when one of them may have changed. */
async function refreshStale(
  ctx: DeviceContext,
  profile: PurchaseProfile,
  { stale }: Verdict,
): Promise<boolean> {
  const { bundleId } = profile;
  if (!profile.hasKey || bundleId === null) return false;
  const refreshed = await Promise.all(
    stale
      .slice(0, MAX_REFRESHES)
      .map((chain) =>
        ctx.deps.purchaseRefresher.refresh(ctx, { appId: ctx.appId, bundleId, ...chain }),
      ),
  );
  return refreshed.includes(true);
}

/** The entitlement of the person behind these ids. Reading never moves a purchase. */
export async function readEntitlement(
  ctx: DeviceContext,
  question: EntitlementQuestion,
): Promise<Entitlement> {
  const { deps, orgId, appId } = ctx;
  const [profile, chains] = await Promise.all([
    deps.purchaseProfiles.find({ orgId, appId }),
    selectHeldChains(deps.sql, { orgId, appId }, question.ids),
  ]);
  if (!profile) throw notFound();
  const first = answer(chains, question, profile, deps.clock().getTime());
  const isSettled = first.stale.length === 0 || !question.mayAsk;
  if (isSettled || !(await refreshStale(ctx, profile, first))) return first.entitlement;
  const again = await selectHeldChains(deps.sql, { orgId, appId }, question.ids);
  return answer(again, question, profile, deps.clock().getTime()).entitlement;
}

/** Throws `invalid_input` without any id. */
export function getEntitlement(ctx: DeviceContext, input: EntitlementInput): Promise<Entitlement> {
  const ids: PersonIds = {
    userId: input.userId ?? null,
    anonymousId: input.anonymousId ?? null,
    appAccountToken: input.appAccountToken?.toLowerCase() ?? null,
    originalTransactionId: input.originalTransactionId ?? null,
  };
  if (Object.values(ids).every((id) => id === null)) {
    throw new AppError('invalid_input', 'The request is not valid.', {
      hint: 'query: must name originalTransactionId, appAccountToken, userId or anonymousId',
    });
  }
  const productId = input.productId ?? null;
  const environment = input.environment ?? null;
  return readEntitlement(ctx, { ids, productId, environment, mayAsk: true });
}
