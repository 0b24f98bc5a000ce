import { type Static, Type } from '@sinclair/typebox';
import { ROLES } from '../../../shared/permissions.ts';
import { DateTime, Nullable, OneOf } from '../../../shared/schema.ts';
import { AuthId, Email } from '../accounts/model.ts';

const RoleWord = OneOf(ROLES, { description: 'What the member may do' });

export const Member = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: RoleWord,
  createdAt: DateTime,
});
export type Member = Static<typeof Member>;

/** An open invitation as the organization sees it; its id is a secret and stays out. */
export const Invitation = Type.Object({
  email: Type.String(),
  role: RoleWord,
  expiresAt: DateTime,
  createdAt: DateTime,
});
export type Invitation = Static<typeof Invitation>;

/** The inviter sees the secret once, and not at all when it was mailed. */
export const NewInvitation = Type.Composite([
  Invitation,
  Type.Object({
    id: Nullable(Type.String({ description: 'The secret that the invited person accepts with' })),
    link: Nullable(Type.String({ description: 'Where the invited person accepts' })),
    mailed: Type.Boolean({
      description: 'True: the secret is in the mail only. False: hand the link over yourself',
    }),
  }),
]);
export type NewInvitation = Static<typeof NewInvitation>;

/** An invitation as the person it is for sees it. */
export const ReceivedInvitation = Type.Object({
  organizationId: Type.String(),
  organizationName: Type.String(),
  inviterEmail: Type.String(),
  email: Type.String(),
  role: RoleWord,
  expiresAt: DateTime,
});
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;

export const InviteBody = Type.Object({ email: Email, role: RoleWord });
export const CancelInvitationBody = Type.Object({ email: Email });
export const InvitationQuery = Type.Object({ id: AuthId });
export const AnswerInvitationBody = Type.Object({ invitationId: AuthId });
export const RemoveMemberBody = Type.Object({ memberId: AuthId });
export const ChangeRoleBody = Type.Object({ memberId: AuthId, role: RoleWord });
