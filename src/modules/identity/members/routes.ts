import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../../http/route.ts';
import { MANAGERS } from '../../../shared/permissions.ts';
import { withCookies } from '../accounts/visitor.ts';
import { CurrentSession, Done } from '../model/account.ts';
import * as member from '../model/member.ts';
import * as invitations from './invitations.ts';
import { inviteMember } from './invite-member.ts';
import { changeMemberRole, listMembers, removeMember } from './members.ts';

export const membersRoutes = taggedRoutes('Members', '/v1/auth/organization')
  .get('/list-members', ({ ctx }) => listMembers(ctx), {
    forMember: true,
    response: { 200: Type.Array(member.Member) },
    detail: {
      operationId: 'listMembers',
      summary: 'List the members of the active organization',
      description: 'Oldest membership first.',
    },
  })
  .post('/remove-member', ({ ctx, body }) => removeMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found', 'conflict'] },
    body: member.RemoveMemberBody,
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
    body: member.ChangeRoleBody,
    response: { 200: member.Member },
    detail: {
      operationId: 'updateMemberRole',
      summary: 'Give a member another role',
      description: 'Only an owner makes or changes an owner, and the last owner stays one.',
    },
  })
  .get('/list-invitations', ({ ctx }) => invitations.listInvitations(ctx), {
    forMember: { roles: MANAGERS },
    response: { 200: Type.Array(member.Invitation) },
    detail: {
      operationId: 'listInvitations',
      summary: 'List the open invitations, without their secrets',
      description: 'Newest first, those of the last 48 hours.',
    },
  })
  .post('/invite-member', ({ ctx, body }) => inviteMember(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['conflict'] },
    body: member.InviteBody,
    response: { 200: member.NewInvitation },
    detail: {
      operationId: 'inviteMember',
      summary: 'Invite somebody; the secret is mailed, or else shown this once',
      description:
        'Lasts 48 hours; inviting again ends the earlier invitation. Where mail works, only the invited person sees the secret.',
    },
  })
  .post('/cancel-invitation', ({ ctx, body }) => invitations.cancelInvitation(ctx, body), {
    forMember: { roles: MANAGERS, errors: ['not_found'] },
    body: member.CancelInvitationBody,
    response: { 200: Done },
    detail: {
      operationId: 'cancelInvitation',
      summary: 'End the open invitation to an address',
      description: 'Its secret no longer works.',
    },
  })
  .get('/get-invitation', ({ ctx, query }) => invitations.showInvitation(ctx, query), {
    forPerson: { errors: ['not_found'] },
    query: member.InvitationQuery,
    response: { 200: member.ReceivedInvitation },
    detail: {
      operationId: 'getInvitation',
      summary: 'Read an invitation to your address',
      description: 'For the person it was sent to, by its secret.',
    },
  })
  .post('/read-invitation', ({ ctx, body }) => invitations.readInvitation(ctx, body), {
    open: { limit: 'default', errors: ['not_found', 'origin_not_allowed'] },
    body: member.AnswerInvitationBody,
    response: { 200: member.OfferedInvitation },
    detail: {
      operationId: 'readInvitation',
      summary: 'Read who invites to what',
      description: 'For whoever holds the secret, before they sign in or make an account.',
    },
  })
  .post('/accept-invitation', withCookies(invitations.acceptInvitation), {
    forPerson: { errors: ['not_found', 'conflict'] },
    body: member.AnswerInvitationBody,
    response: { 200: CurrentSession },
    detail: {
      operationId: 'acceptInvitation',
      summary: 'Join the organization of an invitation',
      description: 'It becomes the active organization of this session.',
    },
  })
  .post('/reject-invitation', ({ ctx, body }) => invitations.rejectInvitation(ctx, body), {
    forPerson: { errors: ['not_found'] },
    body: member.AnswerInvitationBody,
    response: { 200: Done },
    detail: {
      operationId: 'rejectInvitation',
      summary: 'Turn an invitation down',
      description: 'For the person it was sent to, by its secret.',
    },
  });
