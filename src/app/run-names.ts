import { LRUCache } from 'lru-cache';
import type { Logger } from '../observability/log.ts';
import { printable } from '../shared/text.ts';
import { MINUTE_MS } from '../shared/time.ts';
import type { Sql } from '../storage/postgres.ts';
import type { NameScope } from '../temporal/gateway.ts';
import { selectScopeNames } from './run-names-queries.ts';

const MAX_NAMES = 10_000;

export function createRunNames(sql: Sql, log: Logger): NameScope {
  const kept = new LRUCache<string, string>({ max: MAX_NAMES, ttl: MINUTE_MS });
  return async (scope) => {
    const { orgId, appId } = scope;
    const key = `${orgId} ${appId ?? ''}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const names = await selectScopeNames(sql, scope).catch((err: unknown) => {
      log.debug({ err, orgId, appId }, 'the names of a run could not be read');
      return null;
    });
    if (names === null) return null;
    const name = printable(names.join(', '));
    kept.set(key, name);
    return name;
  };
}
