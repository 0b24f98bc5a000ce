import type { Deps } from '../../../context.ts';
import { organizationDeletionContract } from '../../../temporal/contracts/organizations.ts';
import { ensureAll, ensureMissing } from '../../../temporal/ensure.ts';
import { listUnfinished, markRunsEnsured, selectDeletionsWithoutRun } from './queries.ts';

const BATCH = 100;

export function ensureMissingDeletionRuns(deps: Deps): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectDeletionsWithoutRun,
    ensure: (temporal, orgId) => temporal.ensure(organizationDeletionContract, { orgId }),
    markEnsured: markRunsEnsured,
  });
}

/** Starts the run of every unfinished deletion again; a running one is left alone. */
export async function reconcileOrganizationDeletions({
  sql,
  temporal,
}: Pick<Deps, 'sql' | 'temporal'>): Promise<void> {
  await ensureAll(await listUnfinished(sql, BATCH), (orgId) =>
    temporal.ensure(organizationDeletionContract, { orgId }),
  );
}
