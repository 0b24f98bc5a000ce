import type { AppContext } from '../../context.ts';
import type { PublishableKey } from './model.ts';
import { selectKeys } from './queries.ts';

export async function listKeys({ deps, orgId, app }: AppContext): Promise<PublishableKey[]> {
  return selectKeys(deps.sql, orgId, app.id);
}
