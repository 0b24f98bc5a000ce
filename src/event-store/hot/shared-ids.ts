import type { AppScope } from '../../shared/app.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { AppAlias } from '../event/person.ts';
import { isAnyUserOfOther } from '../people/queries.ts';

type AliasSources = {
  aliases: readonly AppAlias[];
  sharesIds: boolean;
};

export async function sharesIds(
  sql: Sql,
  scope: AppScope,
  catalogued: AliasSources,
  inLog: readonly AppAlias[],
): Promise<boolean> {
  if (catalogued.sharesIds) return true;
  if (inLog.length === 0) return false;
  const newDevices = inLog.map(({ anonymousId }) => anonymousId);
  const devices = new Set(newDevices);
  for (const { anonymousId } of catalogued.aliases) devices.add(anonymousId);
  return (
    inLog.some(({ anonymousId, userId }) => userId !== anonymousId && devices.has(userId)) ||
    (await isAnyUserOfOther(sql, scope, newDevices))
  );
}
