import type { OrgContext } from '../../context.ts';
import { toIso } from '../../shared/time.ts';
import type { Demo } from './model.ts';
import { selectDemo } from './queries.ts';

export async function getDemo({ deps, orgId }: OrgContext<'sql'>): Promise<Demo> {
  const demo = await selectDemo(deps.sql, orgId);
  return { madeAt: demo && toIso(demo.madeAt) };
}
