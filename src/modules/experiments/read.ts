import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import type { Experiment } from './model.ts';
import { selectExperiment } from './queries.ts';

export async function readExperiment(
  { deps, orgId, app }: AppContext,
  input: { experimentId: string },
): Promise<Experiment> {
  const found = await selectExperiment(deps.sql, { orgId, appId: app.id }, input.experimentId);
  if (!found) throw notFound();
  return found;
}
