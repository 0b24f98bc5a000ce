import type { Chapter } from '../../chapter.ts';
import type { Deps } from '../../context.ts';
import { DAY_MS } from '../../shared/time.ts';
import { organizationDeletionContract } from '../../temporal/contracts/organizations.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import { deleteEnded } from './accounts/queries.ts';
import { SECRET_PURPOSE, TOKEN_PURPOSE } from './company/issuer.ts';
import { refreshCompanySignIns } from './company/refresh.ts';
import { listUnfinished, markRunsEnsured } from './organization-deletion/queries.ts';

export { firstAccountDetails } from './accounts/first-account.ts';
export { inviteToSignUp, setPassword } from './accounts/operator.ts';
export { deleteAccountOfNobody } from './accounts/queries.ts';
export { createIdentity, type Identity } from './auth/identity.ts';
export { listAllOrganizations } from './auth/organizations-queries.ts';
export type { PasswordHashing } from './auth/password-hashing.ts';
export { turnProviderOff } from './company/provider.ts';
export { setMemberRole } from './members/members.ts';
export { findOwner, listMemberRows } from './members/queries.ts';
export { Email, Password } from './model/account.ts';
export { NewKey } from './model/organization-key.ts';
export {
  deleteOrganization,
  endOrganizations,
} from './organization-deletion/delete-organization.ts';
export {
  deleteOrganizationApps,
  removeOrganizationRows,
  stopOrganizationRuns,
} from './organization-deletion/steps.ts';
export { createKey, listKeys, organizationKeyExists, revokeKey } from './organization-keys/keys.ts';
export { bootstrap } from './organizations/bootstrap.ts';
export { createPayers } from './organizations/payers.ts';
export { recoverOrganizations } from './organizations/recover.ts';
export { takeAwaySecondFactor } from './second-factor/set-up.ts';
export { eraseAccount } from './account-erasure/erase-account.ts';

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
