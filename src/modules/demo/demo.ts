import type { OrgContext } from '../../context.ts';
import { orNotFound } from '../../shared/errors.ts';
import { toIso } from '../../shared/time.ts';
import { deleteAccountOfNobody, deleteOrganization } from '../identity/index.ts';
import type { DeletedDemo, Demo } from './model.ts';
import { selectDemo } from './queries.ts';

export async function getDemo({ deps, orgId }: OrgContext<'sql'>): Promise<Demo> {
  const demo = await selectDemo(deps.sql, orgId);
  return { madeAt: demo && toIso(demo.madeAt) };
}

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
