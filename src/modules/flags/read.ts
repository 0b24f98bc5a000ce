import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import type { Flag, FlagVersion } from './model.ts';
import { selectFlags, selectVersions } from './queries.ts';

export function listFlags({ deps, orgId, app }: AppContext<'sql'>): Promise<Flag[]> {
  return selectFlags(deps.sql, { orgId, appId: app.id });
}

export async function readFlag(
  { deps, orgId, app }: AppContext<'sql'>,
  { flagId }: { flagId: string },
): Promise<Flag> {
  const [flag] = await selectFlags(deps.sql, { orgId, appId: app.id }, flagId);
  if (!flag) throw notFound();
  return flag;
}

export function listVersions(
  { deps, orgId, app }: AppContext<'sql'>,
  { flagId }: { flagId: string },
): Promise<FlagVersion[]> {
  return selectVersions(deps.sql, { orgId, appId: app.id }, flagId);
}
