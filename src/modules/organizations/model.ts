import { type Static, Type } from '@sinclair/typebox';
import { PERMISSIONS, ROLES } from '../../shared/permissions.ts';
import { DateTime, Nullable, OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { PASSWORD_LENGTH } from './auth.ts';

const EMAIL_PATTERN = '^[^\\s@]{1,64}@[^\\s@]{1,180}\\.[^\\s@]{2,63}$';

export const Email = Text(5, 254, {
  pattern: EMAIL_PATTERN,
  description: 'An e-mail address; upper and lower case are the same',
  examples: ['owner@example.com'],
});
export const Password = Text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max, {
  description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`,
});
/** A password that is only compared: whatever its length, it is right or wrong. */
export const GivenPassword = Text(1, PASSWORD_LENGTH.max);
export const PersonName = Text(1, 80);
export const OrganizationName = Text(1, 80);
export const OrganizationSlug = Type.String({
  pattern: '^[a-z][a-z0-9-]{1,46}[a-z0-9]$',
  description: '3 to 48 characters: a-z, 0-9 and hyphens',
});
export const RoleWord = OneOf(ROLES, { description: 'What the member may do' });
/** An id of better-auth, or a secret made from one. */
export const AuthId = Text(1, 64);

export const User = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: DateTime,
});
export type User = Static<typeof User>;

export const SignedIn = Type.Object({ user: User });

export const CurrentSession = Nullable(
  Type.Object({
    user: User,
    expiresAt: DateTime,
    activeOrganizationId: Nullable(Type.String()),
    role: Nullable(RoleWord),
  }),
);
export type CurrentSession = Static<typeof CurrentSession>;

export const Organization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  createdAt: DateTime,
});
export type Organization = Static<typeof Organization>;

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

/** Shown once, to the inviter. */
export const NewInvitation = Type.Composite([
  Invitation,
  Type.Object({
    id: Type.String({ description: 'The secret that the invited person accepts with' }),
    link: Type.String(),
    mailed: Type.Boolean({ description: 'False: hand the link over yourself' }),
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

export const OrganizationKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the secret' }),
  permissions: Type.Array(OneOf(PERMISSIONS)),
  createdAt: DateTime,
  revokedAt: Nullable(DateTime),
});
export type OrganizationKey = Static<typeof OrganizationKey>;

export const NewKey = Type.Object({
  name: Text(1, 60),
  permissions: Type.Array(OneOf(PERMISSIONS), { minItems: 1, maxItems: 6, uniqueItems: true }),
});
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Type.Object({
  key: OrganizationKey,
  secret: Type.String({ description: 'The whole key, shown once' }),
});
export type CreatedKey = Static<typeof CreatedKey>;
