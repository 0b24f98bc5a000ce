import type { Deps, SystemContext } from '../../context.ts';
import { AppError, orNotFound } from '../../shared/errors.ts';
import { brokenUniqueConstraint } from '../../storage/postgres.ts';
import { backendProvisioningContract } from '../../temporal/contracts/backend.ts';
import { insertAssigned, selectUnfinished } from './queries.ts';

const BATCH = 200;

export async function reconcileBackends({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  for (const scope of await selectUnfinished(sql, BATCH)) {
    await temporal.ensure(backendProvisioningContract, scope);
  }
}

export type AssignedProject = { orgId: string; projectRef: string; url: string };

export async function assignBackend(
  { deps }: SystemContext<'backendProvider' | 'clock' | 'sql'>,
  input: { orgId: string; projectRef: string },
): Promise<AssignedProject> {
  if (!deps.backendProvider) {
    throw new AppError('provider_not_configured', 'No backend provider is configured.');
  }
  const project = orNotFound(await deps.backendProvider.readProject(input.projectRef));
  try {
    await insertAssigned(deps.sql, input.orgId, { ...project, now: deps.clock() });
  } catch (thrown) {
    if (brokenUniqueConstraint(thrown) === null) throw thrown;
    throw new AppError('conflict', 'The project is recorded already.', { cause: thrown });
  }
  return { orgId: input.orgId, projectRef: project.ref, url: project.url };
}
