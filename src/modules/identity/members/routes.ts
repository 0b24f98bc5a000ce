import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { memberContext, personContext, sendCookies } from '../../../http/people.ts';
import { orgContext, userContext } from '../../../http/state.ts';
import { CurrentSession, Done } from '../accounts/model.ts';
import {
  acceptInvitation,
  cancelInvitation,
  listInvitations,
  rejectInvitation,
  showInvitation,
} from './invitations.ts';
import { inviteMember } from './invite-member.ts';
import { changeMemberRole, listMembers, removeMember } from './members.ts';
import {
  AnswerInvitationBody,
  CancelInvitationBody,
  ChangeRoleBody,
  Invitation,
  InvitationQuery,
  InviteBody,
  Member,
  NewInvitation,
  ReceivedInvitation,
  RemoveMemberBody,
} from './model.ts';

export const membersRoutes = new Elysia({
  prefix: '/v1/auth/organization',
  detail: { tags: ['Members'] },
})
  .get('/list-members', ({ request }) => listMembers(orgContext(request)), {
    response: { 200: Type.Array(Member) },
    detail: { summary: 'List the members of the active organization' },
  })
  .post('/remove-member', ({ request, body }) => removeMember(memberContext(request), body), {
    body: RemoveMemberBody,
    response: { 200: Done },
    detail: { summary: 'Take a member out of the active organization' },
  })
  .post(
    '/update-member-role',
    ({ request, body }) => changeMemberRole(memberContext(request), body),
    {
      body: ChangeRoleBody,
      response: { 200: Member },
      detail: { summary: 'Give a member another role' },
    },
  )
  .get('/list-invitations', ({ request }) => listInvitations(orgContext(request)), {
    response: { 200: Type.Array(Invitation) },
    detail: { summary: 'List the open invitations, without their secrets' },
  })
  .post('/invite-member', ({ request, body }) => inviteMember(memberContext(request), body), {
    body: InviteBody,
    response: { 200: NewInvitation },
    detail: { summary: 'Invite somebody; the secret is mailed, or else shown this once' },
  })
  .post('/cancel-invitation', ({ request, body }) => cancelInvitation(orgContext(request), body), {
    body: CancelInvitationBody,
    response: { 200: Done },
    detail: { summary: 'End the open invitation to an address' },
  })
  .get('/get-invitation', ({ request, query }) => showInvitation(userContext(request), query), {
    query: InvitationQuery,
    response: { 200: ReceivedInvitation },
    detail: { summary: 'Read an invitation to your address' },
  })
  .post(
    '/accept-invitation',
    async ({ request, body, set }) =>
      sendCookies(set, await acceptInvitation(personContext(request), body)),
    {
      body: AnswerInvitationBody,
      response: { 200: CurrentSession },
      detail: { summary: 'Join the organization of an invitation' },
    },
  )
  .post('/reject-invitation', ({ request, body }) => rejectInvitation(userContext(request), body), {
    body: AnswerInvitationBody,
    response: { 200: Done },
    detail: { summary: 'Turn an invitation down' },
  });
