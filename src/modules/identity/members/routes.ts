import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { CurrentSession, Done } from '../accounts/model.ts';
import { sendCookies } from '../accounts/visitor.ts';
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
  .use(access)
  .get('/list-members', ({ ctx }) => listMembers(ctx), {
    forMember: true,
    response: { 200: Type.Array(Member) },
    detail: { summary: 'List the members of the active organization' },
  })
  .post('/remove-member', ({ ctx, body }) => removeMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found', 'conflict'] },
    body: RemoveMemberBody,
    response: { 200: Done },
    detail: { summary: 'Take a member out of the active organization' },
  })
  .post('/update-member-role', ({ ctx, body }) => changeMemberRole(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found', 'conflict'] },
    body: ChangeRoleBody,
    response: { 200: Member },
    detail: { summary: 'Give a member another role' },
  })
  .get('/list-invitations', ({ ctx }) => listInvitations(ctx), {
    forMember: { roles: MANAGERS },
    response: { 200: Type.Array(Invitation) },
    detail: { summary: 'List the open invitations, without their secrets' },
  })
  .post('/invite-member', ({ ctx, body }) => inviteMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['conflict'] },
    body: InviteBody,
    response: { 200: NewInvitation },
    detail: { summary: 'Invite somebody; the secret is mailed, or else shown this once' },
  })
  .post('/cancel-invitation', ({ ctx, body }) => cancelInvitation(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found'] },
    body: CancelInvitationBody,
    response: { 200: Done },
    detail: { summary: 'End the open invitation to an address' },
  })
  .get('/get-invitation', ({ ctx, query }) => showInvitation(ctx, query), {
    forPerson: { errors: ['not_found'] },
    query: InvitationQuery,
    response: { 200: ReceivedInvitation },
    detail: { summary: 'Read an invitation to your address' },
  })
  .post(
    '/accept-invitation',
    ({ ctx, body, set }) => sendCookies(set, acceptInvitation(ctx, body)),
    {
      forPerson: { errors: ['not_found', 'conflict'] },
      body: AnswerInvitationBody,
      response: { 200: CurrentSession },
      detail: { summary: 'Join the organization of an invitation' },
    },
  )
  .post('/reject-invitation', ({ ctx, body }) => rejectInvitation(ctx, body), {
    forPerson: { errors: ['not_found'] },
    body: AnswerInvitationBody,
    response: { 200: Done },
    detail: { summary: 'Turn an invitation down' },
  });
