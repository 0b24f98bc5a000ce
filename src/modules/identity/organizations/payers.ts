import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../context.ts';
import { findMaker } from '../auth/organizations-queries.ts';

const MAX_ORGANIZATIONS = 10_000;

export function createPayers({ sql, log }: Pick<Deps, 'log' | 'sql'>) {
  const known = new LRUCache<string, readonly string[]>({ max: MAX_ORGANIZATIONS });
  return async (orgId: string): Promise<readonly string[]> => {
    const found = known.get(orgId);
    if (found) return found;
    const alone = [orgId, orgId];
    try {
      const maker = await findMaker(sql, orgId);
      const payers = [maker ?? orgId, orgId];
      known.set(orgId, payers);
      return payers;
    } catch (err) {
      log.warn({ err }, 'the maker of an organization could not be read');
      return alone;
    }
  };
}
