import type { AppContext } from '../../context.ts';
import type { Experiment } from './model.ts';
import { selectExperiments } from './queries.ts';

/** Newest first. */
export async function listExperiments({ deps, orgId, app }: AppContext): Promise<Experiment[]> {
  return selectExperiments(deps.sql, { orgId, appId: app.id });
}
