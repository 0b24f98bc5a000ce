import type { DeviceContext } from '../../../context.ts';
import { selectErased } from '../../../event-store/people.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { AppError } from '../../../shared/errors.ts';
import { idOrNull } from '../../../shared/identity.ts';
import type { Actor } from '../../../shared/principal.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { announce } from '../../webhooks/index.ts';
import type { PurchaseChange } from '../ledger/changes.ts';
import type { ChainKey } from '../model/chain.ts';
import { type OwnershipRule, chainField } from '../model/wire.ts';
import { insertAudit } from './audit-queries.ts';
import * as queries from './links-queries.ts';
import { type Claimant, type Decision, decideOwnership, type Link } from './ownership.ts';

type Holder = { userId: string | null; anonymousId?: string };

function toHolders(links: readonly Link[]): Holder[] {
  const users = links.filter(({ kind }) => kind === 'user');
  if (users.length > 0) return users.map(({ personId }) => ({ userId: personId }));
  const devices = links.filter(({ kind }) => kind === 'anonymous');
  return devices.map(({ personId }) => ({ userId: null, anonymousId: personId }));
}

async function announceHolders(
  tx: Tx,
  { orgId, appId, environment, chainId }: ChainKey,
  { before, after, at }: { before: readonly Link[]; after: readonly Link[]; at: Date },
): Promise<void> {
  const all = [...toHolders(before), ...toHolders(after)];
  const holders = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  for (const holder of holders.length > 0 ? holders : [null]) {
    const personIds = [holder?.userId ?? holder?.anonymousId].filter((id) => id !== undefined);
    const data = { appId, environment, ...chainField(chainId), ...holder };
    await announce(tx, () => at, { orgId, type: 'entitlement.changed', data, personIds });
  }
}

type NamedClaimant = { userId: string | null; anonymousId: string | null };
type Ids = { [id in keyof NamedClaimant]?: string | null | undefined };

async function withoutErased(db: Db, scope: AppScope, input: Ids): Promise<NamedClaimant> {
  const unlessErased = async (sent: string | null | undefined, as: 'person' | 'device') => {
    const id = idOrNull(sent);
    return id === null || (await selectErased(db, scope, spellingsOf(id), as)).size > 0 ? null : id;
  };
  return {
    userId: await unlessErased(input.userId, 'person'),
    anonymousId: await unlessErased(input.anonymousId, 'device'),
  };
}

export const resolveClaimant = (ctx: DeviceContext<'sql'>, input: Ids) =>
  withoutErased(ctx.deps.sql, ctx, input);

export type Claim = NamedClaimant & {
  rule: OwnershipRule;
  actor: Extract<Actor, { kind: 'device' | 'store' | 'system' }>;
  at: Date;
  changes?: readonly PurchaseChange[];
};

/** After `recordFacts`. Returns a refusal, so that the transaction commits the facts. */
export async function claimChain(tx: Tx, key: ChainKey, claim: Claim): Promise<Decision> {
  const held = await queries.selectOwnership(tx, key, new Date(claim.at.getTime() - DAY_MS));
  const ids = await withoutErased(tx, key, claim);
  const { anonymousId } = ids;
  const mappedUserId =
    anonymousId === null ? null : await queries.selectMappedUser(tx, key, anonymousId);
  const claimant: Claimant = { ...ids, mappedUserId };
  const decision = decideOwnership(claim.rule, held, claimant);
  if (decision.kind !== 'change') return decision;
  if (decision.releaseOthers) await queries.deleteLinks(tx, key);
  await queries.insertLinks(tx, key, decision.add, claim.at);
  await queries.refreshHolders(tx, key);
  await insertAudit(tx, key, { ...decision, actor: claim.actor, at: claim.at });
  const isAnnounced = claim.actor.kind === 'store' || (claim.changes ?? []).length > 0;
  if (decision.action !== 'kept' && (decision.from !== null || !isAnnounced)) {
    const before = decision.releaseOthers ? held.links : [];
    await announceHolders(tx, key, { before, after: decision.add, at: claim.at });
  }
  return decision;
}

export function refuseClaim(decision: Decision): void {
  if (decision.kind === 'conflict') {
    throw new AppError('conflict', 'The purchase was signed for another account.', {
      hint: 'userId: must be the account that appAccountToken stands for',
    });
  }
  if (decision.kind === 'too_many_moves') {
    throw new AppError('rate_limited', 'The purchase was moved between users too often.', {
      hint: 'A purchase moves at most three times a day.',
      retryAfterSeconds: DAY_MS / 1_000,
    });
  }
}
