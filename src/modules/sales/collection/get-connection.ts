import type { OrgContext } from '../../../context.ts';
import { selectConnection } from './connection-queries.ts';
import type { StoreConnection } from './model.ts';

/** The connection as the console shows it, or null. */
export function getConnection({ deps, orgId }: OrgContext): Promise<StoreConnection | null> {
  return selectConnection(deps.sql, orgId);
}
