import type { AppContext } from '../../context.ts';
import { selectIngestionHours, selectRejections } from '../../event-store/append.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { daysBack } from './days-back.ts';
import { DEFAULT_INGESTION_DAYS, type Ingestion, type IngestionQuery } from './read.model.ts';

/** What became of what an app sent, by hour: what a developer looks at first. */
export async function readIngestion(
  { deps, orgId, app }: AppContext,
  { days = DEFAULT_INGESTION_DAYS, environment = DEFAULT_SCOPE }: IngestionQuery,
): Promise<Ingestion> {
  const since = new Date(daysBack(deps.clock(), days).fromMs);
  const scope = { orgId, appId: app.id, environment };
  const [hours, rejected] = await Promise.all([
    selectIngestionHours(deps.sql, scope, since),
    selectRejections(deps.sql, scope, since),
  ]);
  return { hours, rejected };
}
