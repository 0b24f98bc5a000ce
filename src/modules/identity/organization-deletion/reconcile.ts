import type { Deps } from '../../../context.ts';
import { organizationDeletionContract } from '../../../temporal/contracts/organizations.ts';
import { listUnfinished } from './queries.ts';

const BATCH = 100;

/** Starts the run of every unfinished deletion; one that runs already is left alone. */
export async function reconcileOrganizationDeletions({
  sql,
  temporal,
}: Pick<Deps, 'sql' | 'temporal'>): Promise<void> {
  for (const orgId of await listUnfinished(sql, BATCH)) {
    await temporal.ensure(organizationDeletionContract, { orgId });
  }
}
