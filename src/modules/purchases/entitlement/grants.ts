import type { AppContext, Deps } from '../../../context.ts';
import { refuseErased } from '../../../event-store/people.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { type Author, toAuthor } from '../../../shared/author.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { readPage } from '../../../shared/page.ts';
import { toIso } from '../../../shared/time.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { lockApp } from '../../../storage/rows-of-app.ts';
import { announce } from '../../webhooks/index.ts';
import * as model from '../model/grant.ts';
import { UNKNOWN_NAME } from '../model/names.ts';
import { chainField } from '../model/wire.ts';
import { type GrantAction, insertGrantAudit } from '../ownership/audit-queries.ts';
import { findGrantee } from './grantee.ts';
import * as queries from './grants-queries.ts';
import { selectNames } from './names-queries.ts';

const BATCH = 200;

/** Receivers query the entitlement. */
async function recordChange(
  tx: Tx,
  scope: AppScope,
  change: { grant: model.PurchaseGrant; action: GrantAction; actor: Author | null; at: Date },
): Promise<void> {
  await insertGrantAudit(tx, scope, change);
  const { orgId, appId } = scope;
  const { userId, anonymousId } = change.grant;
  const of = { userId, ...(anonymousId !== undefined && { anonymousId }) };
  const data = { appId, environment: REAL_PURCHASES, ...chainField(null), ...of };
  await announce(tx, () => change.at, {
    orgId,
    type: 'entitlement.changed',
    data,
    personIds: [model.holderOf(change.grant).id],
  });
}

function resolveExpiry(input: model.GrantInput, now: Date): string | null {
  if (input.expiresAt == null) return null;
  const expiresAt = new Date(input.expiresAt);
  if (expiresAt <= now) throw invalidInput('expiresAt', 'must be in the future');
  return toIso(expiresAt);
}

function checkGranted({ productId, entitlement }: model.GrantInput): void {
  if (productId === undefined && entitlement === undefined) {
    throw invalidInput('entitlement', 'must be given, or productId');
  }
  if (productId !== undefined && entitlement !== undefined) {
    throw invalidInput('productId', 'goes without entitlement');
  }
}

async function checkName(tx: Tx, scope: AppScope, wanted: string | undefined): Promise<void> {
  if (wanted === undefined) return;
  const names = await selectNames(tx, scope);
  if (!names.some(({ name }) => name === wanted)) throw invalidInput('entitlement', UNKNOWN_NAME);
}

/** Idempotent. Throws `conflict` for an erased person and beyond `MAX_GRANTS`. */
export async function grantEntitlement(
  { deps, actor, scope }: AppContext<'clock' | 'purchaseProfiles' | 'sql'>,
  input: model.GrantInput,
): Promise<model.PurchaseGrant> {
  const now = deps.clock();
  const { productId = null, entitlement, note = null } = input;
  checkGranted(input);
  const expiresAt = resolveExpiry(input, now);
  const granted = await deps.sql.begin(async (tx) => {
    await lockApp(tx, scope);
    const holder = await findGrantee(tx, scope, input);
    await refuseErased(tx, scope, [holder.id], holder.kind === 'user' ? 'person' : 'device');
    await checkName(tx, scope, entitlement);
    const held = await queries.selectInForce(tx, scope, holder);
    const known = held.find(
      (grant) => grant.productId === productId && grant.entitlement === entitlement,
    );
    if (known && known.expiresAt === expiresAt && known.note === note) return known;
    if (!known && held.length >= queries.MAX_GRANTS) {
      throw new AppError(
        'conflict',
        `This person has ${queries.MAX_GRANTS} grants, the most there can be.`,
      );
    }
    const grantedBy = toAuthor(actor);
    const ended = { endedAt: null, endReason: null };
    const id = known?.id ?? newId('grt');
    const of = {
      ...(holder.kind === 'user'
        ? { userId: holder.id }
        : { userId: null, anonymousId: holder.id }),
      ...{ productId, ...(entitlement !== undefined && { entitlement }) },
    };
    const terms = { id, ...of, expiresAt, note, grantedAt: toIso(now), grantedBy };
    const grant = await queries.upsertGrant(tx, scope, { ...terms, ...ended });
    await recordChange(tx, scope, { grant, action: 'granted', actor: grantedBy, at: now });
    return grant;
  });
  deps.purchaseProfiles.forget();
  return granted;
}

export async function revokeGrant(
  { deps, actor, scope }: AppContext<'clock' | 'sql'>,
  { grantId }: { grantId: string },
): Promise<void> {
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const grant = await queries.endGrant(tx, { ...scope, grantId }, now);
    if (!grant) return;
    const revoker = toAuthor(actor);
    await recordChange(tx, scope, { grant, action: 'revoked', actor: revoker, at: now });
  });
}

export async function listGrants(
  { deps, orgId, app }: AppContext<'sql'>,
  input: model.GrantsInput,
): Promise<model.GrantsPage> {
  const page = {
    orgId,
    appId: app.id,
    people: input.userId === undefined ? null : spellingsOf(input.userId),
    beforeId: input.cursor ?? null,
  };
  const select = (limit: number) => queries.selectGrants(deps.sql, { ...page, limit });
  const { rows, nextCursor } = await readPage(
    input.limit ?? model.GRANT_PAGE,
    select,
    ({ id }) => id,
  );
  return { grants: rows, nextCursor };
}

/** Ends expired grants so that their end is announced. */
export function expireGrants({ sql, clock }: Pick<Deps, 'clock' | 'sql'>): Promise<number> {
  const now = clock();
  return sql.begin(async (tx) => {
    const ended = await queries.endExpired(tx, { now, limit: BATCH });
    for (const { scope, grant } of ended) {
      await recordChange(tx, scope, { grant, action: 'expired', actor: null, at: now });
    }
    return ended.length;
  });
}
