import type { SystemContext } from '../../../context.ts';
import { toAccountToken } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import {
  isReal,
  REAL_PURCHASES,
  STORE_ENVIRONMENTS,
  type StoreEnvironment,
} from '../../../shared/environment.ts';
import { invalidInput, notFound } from '../../../shared/errors.ts';
import { idOrNull } from '../../../shared/identity.ts';
import { UNKNOWN_NAME } from '../model/names.ts';
import type { StoreNeeds } from '../model/store.ts';
import type { Entitlement, EntitlementInput, PurchaseSettings, SentIds } from '../model/wire.ts';
import { NAMES_A_PERSON, namedChain } from '../model/wire.ts';
import type { PersonIds } from '../ownership/ownership.ts';
import { selectGrantsOf } from './grants-queries.ts';
import { selectHeldChains } from './held-chains-queries.ts';
import { judgeWithNames } from './named.ts';
import * as rules from './rules.ts';
import type { PurchaseProfile } from './settings-queries.ts';

const MAX_REFRESHES = 3;

export type EntitlementContext = AppScope &
  SystemContext<'log' | 'purchaseProfiles' | 'purchaseRefresher' | StoreNeeds>;

/** At most one of them. */
export type Wanted = { name: string | null; productId: string | null };
export const ANYTHING: Wanted = { name: null, productId: null };

export type EntitlementQuestion = {
  ids: PersonIds;
  wanted: Wanted;
  environment: StoreEnvironment | null;
  mayRefresh: boolean;
};

function isSandboxAllowed(settings: PurchaseSettings, ids: PersonIds): boolean {
  if (settings.sandboxAccess !== 'listed') return settings.sandboxAccess === 'anybody';
  const listed = new Set(settings.sandboxListed.map((id) => id.toLowerCase()));
  const own = [ids.userId, ids.anonymousId, ids.appAccountToken];
  return own.some((id) => id !== null && listed.has(id.toLowerCase()));
}

export const mayUse = (
  environment: StoreEnvironment,
  settings: PurchaseSettings,
  ids: PersonIds,
): boolean => isReal(environment) || isSandboxAllowed(settings, ids);

function allowedEnvironments(
  question: EntitlementQuestion,
  profile: PurchaseProfile,
): StoreEnvironment[] {
  const wanted = question.environment ? [question.environment] : STORE_ENVIRONMENTS;
  return wanted.filter((environment) => mayUse(environment, profile.settings, question.ids));
}

/** Throws `invalid_input` for an unknown name. */
function productsWanted({ name, productId }: Wanted, { names }: PurchaseProfile): string[] | null {
  if (name === null) return productId === null ? null : [productId];
  const named = names.find((one) => one.name === name);
  if (named) return named.productIds;
  throw invalidInput('entitlement', UNKNOWN_NAME);
}

function judge(
  { chains, grants }: { chains: readonly rules.Chain[]; grants: readonly rules.Grant[] },
  question: EntitlementQuestion,
  profile: PurchaseProfile,
  nowMs: number,
): rules.Verdict {
  const allowed = allowedEnvironments(question, profile);
  return judgeWithNames(
    { chains: chains.filter((chain) => allowed.includes(chain.environment)), grants },
    {
      nowMs,
      leewayMs: profile.hasKey ? rules.LEEWAY_WITH_KEY_MS : rules.LEEWAY_WITHOUT_KEY_MS,
      productIds: productsWanted(question.wanted, profile),
      environment: question.environment ?? REAL_PURCHASES,
    },
    profile.names,
  );
}

/** True when a chain may have changed. */
async function refreshStale(
  ctx: EntitlementContext,
  profile: PurchaseProfile,
  { stale }: rules.Verdict,
): Promise<boolean> {
  if (!profile.hasKey) return false;
  const { deps, orgId, appId } = ctx;
  const refreshed = await Promise.all(
    stale
      .slice(0, MAX_REFRESHES)
      .map((chain) => deps.purchaseRefresher.refresh(ctx, { orgId, appId, ...chain })),
  );
  return refreshed.includes(true);
}

/** Reading never changes ownership. */
export async function readEntitlement(
  ctx: EntitlementContext,
  question: EntitlementQuestion,
): Promise<Entitlement> {
  const { deps, orgId, appId } = ctx;
  const [profile, chains] = await Promise.all([
    deps.purchaseProfiles.find({ orgId, appId }),
    selectHeldChains(deps.sql, { orgId, appId }, question.ids),
  ]);
  if (!profile) throw notFound();
  const grants = profile.hasGrants
    ? await selectGrantsOf(deps.sql, { orgId, appId }, question.ids)
    : [];
  const verdict = judge({ chains, grants }, question, profile, deps.clock().getTime());
  const isSettled = verdict.stale.length === 0 || !question.mayRefresh;
  if (isSettled || !(await refreshStale(ctx, profile, verdict))) return verdict.entitlement;
  const refreshed = await selectHeldChains(deps.sql, { orgId, appId }, question.ids);
  const now = deps.clock().getTime();
  return judge({ chains: refreshed, grants }, question, profile, now).entitlement;
}

/** Throws `invalid_input` without any id. */
export function idsIn(input: SentIds, where = 'query'): PersonIds {
  const { userId, anonymousId } = input;
  const appAccountToken = toAccountToken(input.appAccountToken);
  const chainId = namedChain(input);
  if ((userId ?? anonymousId ?? appAccountToken ?? chainId ?? null) === null) {
    throw invalidInput(where, NAMES_A_PERSON);
  }
  return {
    userId: idOrNull(userId),
    anonymousId: idOrNull(anonymousId),
    appAccountToken,
    chainId,
  };
}

/** Throws `invalid_input` without any id, and for an unknown name. */
export function getEntitlement(
  ctx: EntitlementContext,
  input: EntitlementInput,
): Promise<Entitlement> {
  const ids = idsIn(input);
  const wanted = { name: input.entitlement ?? null, productId: input.productId ?? null };
  if (wanted.name !== null && wanted.productId !== null) {
    throw invalidInput('productId', 'goes without entitlement');
  }
  const environment = input.environment ?? null;
  return readEntitlement(ctx, { ids, wanted, environment, mayRefresh: true });
}
