import { subjectHash } from '../../../event-store/people.ts';
import type { AppScope } from '../../../shared/app.ts';
import { must } from '../../../shared/assert.ts';
import type { Db } from '../../../storage/postgres.ts';

/** Ids of erased people, never to be linked again. */
export async function selectErased(
  db: Db,
  scope: AppScope,
  ids: readonly string[],
  as: 'person' | 'device' = 'person',
): Promise<ReadonlySet<string>> {
  const byHash = new Map(ids.map((id) => [subjectHash(scope.appId, id), id]));
  const rows = await db<{ subject_hash: string }[]>`
    SELECT subject_hash FROM event_erasures
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND subject_hash = ANY(${[...byHash.keys()]}) AND erased_as IN ('both', ${as})`;
  return new Set(
    rows.map((row) => must(byHash.get(row.subject_hash), 'the query selects only these hashes')),
  );
}
