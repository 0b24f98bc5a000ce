import type { OrgContext } from '../../context.ts';
import type { App } from '../../shared/app.ts';
import { selectApps } from './queries.ts';

export async function listApps({ deps, orgId }: OrgContext<'sql'>): Promise<App[]> {
  return selectApps(deps.sql, orgId);
}
