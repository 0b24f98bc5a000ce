import type { OrgContext } from '../../context.ts';
import { orNotFound } from '../../shared/errors.ts';
import { deleteAccountOfNobody, deleteOrganization } from '../identity/index.ts';
import type { DeletedDemo } from './model.ts';
import { selectDemo } from './queries.ts';

/** With the account that it came with. */
export async function deleteDemo(
  ctx: OrgContext<'clock' | 'identity' | 'log' | 'sql' | 'temporal'>,
  { confirm }: { confirm: string },
): Promise<DeletedDemo> {
  const { deps, orgId } = ctx;
  const demo = orNotFound(await selectDemo(deps.sql, orgId));
  const { id, name } = await deleteOrganization(ctx, { orgId, confirm, requestedBy: 'demo' });
  await deleteAccountOfNobody(deps.sql, demo.userId);
  return { deleted: true, id, name };
}
