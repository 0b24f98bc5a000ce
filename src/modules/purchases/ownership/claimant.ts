import type { DeviceContext } from '../../../context.ts';
import { selectErased } from '../../../event-store/people.ts';
import { idOrNull } from '../../../shared/identity.ts';

export type NamedClaimant = { userId: string | null; anonymousId: string | null };
type Ids = { userId?: string | undefined; anonymousId?: string | undefined };

/** Leaves out the ids of erased people. */
export async function resolveClaimant(
  ctx: DeviceContext<'sql'>,
  input: Ids,
): Promise<NamedClaimant> {
  const unlessErased = async (sent: string | undefined, as: 'person' | 'device') => {
    const id = idOrNull(sent);
    return id === null || (await selectErased(ctx.deps.sql, ctx, [id], as)).size > 0 ? null : id;
  };
  return {
    userId: await unlessErased(input.userId, 'person'),
    anonymousId: await unlessErased(input.anonymousId, 'device'),
  };
}
