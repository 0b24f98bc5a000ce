import { AppError } from '../../../shared/errors.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { insertRecovered } from '../auth/organizations-queries.ts';
import { upsertMember } from '../members/queries.ts';

export type Recovery = { orgIds: readonly string[]; owner: string; now: Date };

export async function recoverOrganizations(
  tx: Tx,
  { orgIds, owner, now }: Recovery,
): Promise<void> {
  if (orgIds.length === 0) return;
  const user = await findUserByEmail(tx, owner.toLowerCase());
  if (!user) {
    throw new AppError('not_found', `${owner} has no account.`, {
      hint: 'Make one first: bun run admin bootstrap --org NAME --email ADDRESS',
    });
  }
  for (const orgId of orgIds) {
    await insertRecovered(tx, orgId, now);
    await upsertMember(tx, { orgId, userId: user.id, role: 'owner', now });
  }
}
