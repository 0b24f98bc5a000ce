export { firstAccountDetails } from './accounts/first-account.ts';
export { Email, Password } from './accounts/model.ts';
export { inviteToSignUp, setPassword } from './accounts/operator.ts';
export { accountsChapter, organizationsChapter } from './chapter.ts';
export { setMemberRole } from './members/members.ts';
export { findOwner, listMemberRows } from './members/queries.ts';
export { deleteOrganization } from './organization-deletion/delete-organization.ts';
export {
  deleteOrganizationApps,
  removeOrganizationRows,
  stopOrganizationRuns,
} from './organization-deletion/steps.ts';
export { createKey, listKeys, revokeKey } from './organization-keys/keys.ts';
export { NewKey } from './organization-keys/model.ts';
export { organizationKeyExists } from './organization-keys/queries.ts';
export { bootstrap } from './organizations/bootstrap.ts';
export { createIdentity, type Identity } from './organizations/identity.ts';
export type { PasswordHashing } from './organizations/password-hashing.ts';
export { listAllOrganizations } from './organizations/queries.ts';
export { recoverOrganizations } from './organizations/recover.ts';
