import type { AppScope } from '../../shared/app.ts';
import type { Tx } from '../../storage/postgres.ts';

export type RuleOfFlag = { key: string; armIds: string[] };

/** Rules of flags that give the arms of the experiment their values, by the keys of the flags. */
export function selectRulesOf(
  tx: Tx,
  { orgId, appId }: AppScope,
  experimentId: string,
): Promise<RuleOfFlag[]> {
  return tx<RuleOfFlag[]>`
    SELECT f.key, ARRAY(SELECT jsonb_object_keys(r.rule -> 'variations')) AS "armIds"
    FROM flags f, jsonb_array_elements(f.definition -> 'rules') AS r(rule)
    WHERE f.org_id = ${orgId} AND f.app_id = ${appId} AND r.rule ->> 'experiment' = ${experimentId}
    ORDER BY f.key COLLATE "C"`;
}
