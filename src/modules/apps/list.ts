import type { OrgContext } from '../../context.ts';
import type { App } from './model.ts';
import { selectApps } from './store.ts';

export async function listApps({ deps, orgId }: OrgContext): Promise<App[]> {
  return selectApps(deps.sql, orgId);
}
