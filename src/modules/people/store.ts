import type { Db } from '../../storage/postgres.ts';

type AppScope = { orgId: string; appId: string };

/** Entries of the app, or of none in particular, that name one of the ids as a whole JSON string. */
export async function eraseLogEntries(
  db: Db,
  { orgId, appId }: AppScope,
  ids: readonly string[],
): Promise<void> {
  const quoted = ids.map((id) => JSON.stringify(id));
  await db`
    DELETE FROM logs WHERE org_id = ${orgId} AND (app_id = ${appId} OR app_id IS NULL)
      AND EXISTS (SELECT 1 FROM unnest(${quoted}::text[]) AS q(id) WHERE strpos(entry, q.id) > 0)`;
}
