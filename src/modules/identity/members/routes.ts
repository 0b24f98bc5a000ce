import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { sendCookies } from '../accounts/visitor.ts';
import { CurrentSession, Done } from '../model/account.ts';
import {
  AnswerInvitationBody,
  CancelInvitationBody,
  ChangeRoleBody,
  Invitation,
  InvitationQuery,
  InviteBody,
  Member,
  NewInvitation,
  OfferedInvitation,
  ReceivedInvitation,
  RemoveMemberBody,
} from '../model/member.ts';
import {
  acceptInvitation,
  cancelInvitation,
  listInvitations,
  readInvitation,
  rejectInvitation,
  showInvitation,
} from './invitations.ts';
import { inviteMember } from './invite-member.ts';
import { changeMemberRole, listMembers, removeMember } from './members.ts';

export const membersRoutes = new Elysia({
  prefix: '/v1/auth/organization',
  detail: { tags: ['Members'] },
})
  .use(access)
  .get('/list-members', ({ ctx }) => listMembers(ctx), {
    forMember: true,
    response: { 200: Type.Array(Member) },
    detail: {
      operationId: 'listMembers',
      summary: 'List the members of the active organization',
      description: 'Oldest membership first.',
    },
  })
  .post('/remove-member', ({ ctx, body }) => removeMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found', 'conflict'] },
    body: RemoveMemberBody,
    response: { 200: Done },
    detail: {
      operationId: 'removeMember',
      summary: 'Take a member out of the active organization',
      description:
        'Their sessions lose the organization at once. Only an owner removes an owner, and the last owner stays.',
    },
  })
  .post('/update-member-role', ({ ctx, body }) => changeMemberRole(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found', 'conflict'] },
    body: ChangeRoleBody,
    response: { 200: Member },
    detail: {
      operationId: 'updateMemberRole',
      summary: 'Give a member another role',
      description: 'Only an owner makes or changes an owner, and the last owner stays one.',
    },
  })
  .get('/list-invitations', ({ ctx }) => listInvitations(ctx), {
    forMember: { roles: MANAGERS },
    response: { 200: Type.Array(Invitation) },
    detail: {
      operationId: 'listInvitations',
      summary: 'List the open invitations, without their secrets',
      description: 'Newest first, those of the last 48 hours.',
    },
  })
  .post('/invite-member', ({ ctx, body }) => inviteMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['conflict'] },
    body: InviteBody,
    response: { 200: NewInvitation },
    detail: {
      operationId: 'inviteMember',
      summary: 'Invite somebody; the secret is mailed, or else shown this once',
      description:
        'Lasts 48 hours; inviting again ends the earlier invitation. Where mail works, only the invited person sees the secret.',
    },
  })
  .post('/cancel-invitation', ({ ctx, body }) => cancelInvitation(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found'] },
    body: CancelInvitationBody,
    response: { 200: Done },
    detail: {
      operationId: 'cancelInvitation',
      summary: 'End the open invitation to an address',
      description: 'Its secret no longer works.',
    },
  })
  .get('/get-invitation', ({ ctx, query }) => showInvitation(ctx, query), {
    forPerson: { errors: ['not_found'] },
    query: InvitationQuery,
    response: { 200: ReceivedInvitation },
    detail: {
      operationId: 'getInvitation',
      summary: 'Read an invitation to your address',
      description: 'For the person it was sent to, by its secret.',
    },
  })
  .post('/read-invitation', ({ ctx, body }) => readInvitation(ctx, body), {
    open: { limit: 'default', errors: ['not_found', 'origin_not_allowed'] },
    body: AnswerInvitationBody,
    response: { 200: OfferedInvitation },
    detail: {
      operationId: 'readInvitation',
      summary: 'Read who invites to what',
      description: 'For whoever holds the secret, before they sign in or make an account.',
    },
  })
  .post(
    '/accept-invitation',
    ({ ctx, body, set }) => sendCookies(set, acceptInvitation(ctx, body)),
    {
      forPerson: { errors: ['not_found', 'conflict'] },
      body: AnswerInvitationBody,
      response: { 200: CurrentSession },
      detail: {
        operationId: 'acceptInvitation',
        summary: 'Join the organization of an invitation',
        description: 'It becomes the active organization of this session.',
      },
    },
  )
  .post('/reject-invitation', ({ ctx, body }) => rejectInvitation(ctx, body), {
    forPerson: { errors: ['not_found'] },
    body: AnswerInvitationBody,
    response: { 200: Done },
    detail: {
      operationId: 'rejectInvitation',
      summary: 'Turn an invitation down',
      description: 'For the person it was sent to, by its secret.',
    },
  });
