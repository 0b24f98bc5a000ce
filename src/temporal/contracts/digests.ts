import { ofOrganization, workflowContract } from './workflow.ts';

export type MorningDigestInput = { orgId: string };
export type DigestDay = { orgId: string; day: string };
export type DigestPost = DigestDay & { destinationId: string };

export const morningDigestContract = workflowContract({
  type: 'morningDigest',
  isUnnamed: true,
  workflowId: ({ orgId }: MorningDigestInput) => `morningDigest/${orgId}`,
  summary: ({ orgId }) => `Morning digest of ${orgId}`,
  scope: ofOrganization,
});
