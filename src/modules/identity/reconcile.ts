import type { Deps } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { organizationDeletionContract } from '../../temporal/contracts/organizations.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import { deleteEnded } from './accounts/queries.ts';
import {
  listUnfinished,
  markRunsEnsured,
  selectDeletionsWithoutRun,
} from './organization-deletion/queries.ts';

const DELETIONS_BATCH = 100;
const ENDED_BATCH = 1_000;
const KEPT_MS = 30 * DAY_MS;

/** Deletes sessions, secrets and invitations that ended a month ago. */
export async function reconcileAccounts({ sql, clock }: Pick<Deps, 'sql' | 'clock'>) {
  await deleteEnded(sql, new Date(clock().getTime() - KEPT_MS), ENDED_BATCH);
}

export function ensureMissingDeletionRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
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
  await ensureAll(await listUnfinished(sql, DELETIONS_BATCH), (orgId) =>
    temporal.ensure(organizationDeletionContract, { orgId }),
  );
}
