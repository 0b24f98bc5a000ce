import type { Chapter } from '../../chapter.ts';
import {
  ensureMissingDeletionRuns,
  reconcileAccounts,
  reconcileOrganizationDeletions,
} from './reconcile.ts';

export const accountsChapter: Chapter = {
  name: 'accounts',
  tables: ['auth.account', 'auth.session', 'auth.user'],
  reconcile: reconcileAccounts,
};

/** Members, invitations and keys end with the row of the organization. */
export const organizationsChapter: Chapter = {
  name: 'organizations',
  tables: ['auth.apikey', 'auth.invitation', 'auth.member', 'organization_deletions'],
  ensureMissingRuns: ensureMissingDeletionRuns,
  reconcile: reconcileOrganizationDeletions,
};
