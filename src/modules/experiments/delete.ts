import type { AppContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { deleteExperimentRow } from './queries.ts';

/** Throws `conflict` while it runs. Its exposures stay in the event log. */
export async function deleteExperiment(
  { deps, orgId, app }: AppContext,
  input: { experimentId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  const gone = await deps.sql.begin((tx) => deleteExperimentRow(tx, scope, input.experimentId));
  if (!gone) {
    throw new AppError('conflict', 'A running experiment cannot be deleted.', {
      hint: 'Stop it first.',
    });
  }
}
