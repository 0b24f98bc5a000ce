import { type Static, Type } from '@sinclair/typebox';
import { ROLES } from '../../../shared/permissions.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { AuthId, Email } from './account.ts';

export const MAX_MEMBERS = 500;

const RoleWord = OneOf(ROLES, { description: 'What the member may do' });

export const Member = Named('Member', {
  id: Type.String(),
  userId: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: RoleWord,
  createdAt: DateTime,
});
export type Member = Static<typeof Member>;

export const Invitation = Named('Invitation', {
  email: Type.String(),
  role: RoleWord,
  expiresAt: DateTime,
  createdAt: DateTime,
});
export type Invitation = Static<typeof Invitation>;

export const NewInvitation = Type.Composite(
  [
    Invitation,
    Type.Object({
      id: Nullable(Type.String({ description: 'The secret that the invited person accepts with' })),
      link: Nullable(Type.String({ description: 'Where the invited person accepts' })),
      mailed: Type.Boolean({
        description: 'True: the secret is in the mail only. False: hand the link over yourself',
      }),
    }),
  ],
  { title: 'NewInvitation' },
);
export type NewInvitation = Static<typeof NewInvitation>;

export const ReceivedInvitation = Named('ReceivedInvitation', {
  organizationId: Type.String(),
  organizationName: Type.String(),
  inviterEmail: Nullable(Type.String()),
  email: Type.String(),
  role: RoleWord,
  expiresAt: DateTime,
});
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;

export const OfferedInvitation = Named('OfferedInvitation', {
  organizationName: Type.String(),
  inviterEmail: Nullable(
    Type.String({ description: 'Null for an address that nobody has proved to be theirs' }),
  ),
  email: Type.String(),
  role: RoleWord,
  expiresAt: DateTime,
});
export type OfferedInvitation = Static<typeof OfferedInvitation>;

export const InviteBody = Named(
  'InviteMemberBody',
  { email: Email, role: RoleWord },
  { examples: [{ email: 'colleague@example.com', role: 'member' }] },
);
export const CancelInvitationBody = Named(
  'CancelInvitationBody',
  { email: Email },
  { examples: [{ email: 'colleague@example.com' }] },
);
export const InvitationQuery = Type.Object({ id: AuthId });
export const AnswerInvitationBody = Named(
  'AnswerInvitationBody',
  { invitationId: AuthId },
  { examples: [{ invitationId: 'uGJ0SVb4fXbY2kq1mTzq7h0Zc5NwRr3L' }] },
);
export const RemoveMemberBody = Named(
  'RemoveMemberBody',
  { memberId: AuthId },
  { examples: [{ memberId: 'Q4kV0nTz8sYb3xWc' }] },
);
export const ChangeRoleBody = Named(
  'ChangeMemberRoleBody',
  { memberId: AuthId, role: RoleWord },
  { examples: [{ memberId: 'Q4kV0nTz8sYb3xWc', role: 'admin' }] },
);
