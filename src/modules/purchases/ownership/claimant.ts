import type { DeviceContext } from '../../../context.ts';
import { selectErased } from './erasure-queries.ts';

export type NamedClaimant = { userId: string | null; anonymousId: string | null };
type Ids = { userId?: string | undefined; anonymousId?: string | undefined };

/** Leaves out the ids of erased people. */
export async function resolveClaimant(
  ctx: DeviceContext<'sql'>,
  input: Ids,
): Promise<NamedClaimant> {
  const { userId = null, anonymousId = null } = input;
  const ids = [userId, anonymousId].filter((id) => id !== null);
  if (ids.length === 0) return { userId, anonymousId };
  const erased = await selectErased(ctx.deps.sql, ctx, ids);
  const unlessErased = (id: string | null) => (id !== null && erased.has(id) ? null : id);
  return { userId: unlessErased(userId), anonymousId: unlessErased(anonymousId) };
}
