import type { Chapter } from '../../chapter.ts';
import type { Deps } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { organizationDeletionContract } from '../../temporal/contracts/organizations.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import { deleteEnded } from './accounts/queries.ts';
import { SECRET_PURPOSE, TOKEN_PURPOSE } from './company/issuer.ts';
import { refreshCompanySignIns } from './company/refresh.ts';
import { listUnfinished, markRunsEnsured } from './organization-deletion/queries.ts';

const DELETIONS_BATCH = 100;
const ENDED_BATCH = 1_000;
const KEPT_MS = 30 * DAY_MS;

export async function reconcileAccounts({ sql, clock }: Pick<Deps, 'sql' | 'clock'>) {
  await deleteEnded(sql, new Date(clock().getTime() - KEPT_MS), ENDED_BATCH);
}

function ensureMissingDeletionRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: (sql, limit) => listUnfinished(sql, limit, 'run'),
    ensure: (temporal, orgId) => temporal.ensure(organizationDeletionContract, { orgId }),
    markEnsured: markRunsEnsured,
  });
}

/** No-op for a running deletion. */
async function reconcileOrganizationDeletions({
  sql,
  temporal,
}: Pick<Deps, 'sql' | 'temporal'>): Promise<void> {
  await ensureAll(await listUnfinished(sql, DELETIONS_BATCH), (orgId) =>
    temporal.ensure(organizationDeletionContract, { orgId }),
  );
}

export const accountsChapter: Chapter = {
  name: 'accounts',
  tables: ['auth.account', 'auth.session', 'auth.twoFactor', 'auth.used_code', 'auth.user'],
  reconcile: reconcileAccounts,
};

/** Members, invitations and keys are deleted with the organization's row. */
export const organizationsChapter: Chapter = {
  name: 'organizations',
  tables: [
    'auth.apikey',
    'auth.invitation',
    'auth.member',
    'barred_addresses',
    'barred_members',
    'identity_links',
    'identity_providers',
    'organization_deletions',
    'organization_security',
  ],
  sealed: [
    {
      table: 'identity_providers',
      column: 'sealed_client_secret',
      purpose: SECRET_PURPOSE,
    },
    { table: 'identity_links', column: 'sealed_refresh_token', purpose: TOKEN_PURPOSE },
  ],
  ensureMissingRuns: ensureMissingDeletionRuns,
  reconcile: reconcileOrganizationDeletions,
};

/** A provider that is slow holds up no other chapter's. */
export const companyChapter: Chapter = {
  name: 'company sign-ins',
  tables: [],
  reconcile: refreshCompanySignIns,
};
