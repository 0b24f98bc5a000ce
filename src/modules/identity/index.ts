export { firstAccountDetails } from './accounts/first-account.ts';
export { inviteToSignUp, setPassword } from './accounts/operator.ts';
export { deleteAccountOfNobody } from './accounts/queries.ts';
export { createIdentity, type Identity } from './auth/identity.ts';
export { listAllOrganizations } from './auth/organizations-queries.ts';
export type { PasswordHashing } from './auth/password-hashing.ts';
export { accountsChapter, companyChapter, organizationsChapter } from './chapter.ts';
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
export { takeAwaySecondFactor } from './second-factor/remove.ts';
export { eraseAccount } from './account-erasure/erase-account.ts';
