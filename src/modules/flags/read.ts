import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import type { Flag, FlagVersion } from './model.ts';
import { selectFlags, selectVersions } from './queries.ts';

export function listFlags({ deps, scope }: AppContext<'sql'>): Promise<Flag[]> {
  return selectFlags(deps.sql, scope);
}

export async function readFlag(
  { deps, scope }: AppContext<'sql'>,
  { flagId }: { flagId: string },
): Promise<Flag> {
  const [flag] = await selectFlags(deps.sql, scope, flagId);
  if (!flag) throw notFound();
  return flag;
}

export function listVersions(
  { deps, scope }: AppContext<'sql'>,
  { flagId }: { flagId: string },
): Promise<FlagVersion[]> {
  return selectVersions(deps.sql, scope, flagId);
}
