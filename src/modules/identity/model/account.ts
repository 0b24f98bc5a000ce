import { type Static, Type } from '@sinclair/typebox';
import { ROLES } from '../../../shared/permissions.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Name, Text } from '../../../shared/text.ts';

/** Characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

/** better-auth's rule, so that the error names the field. */
const EMAIL_PATTERN =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]{0,63}[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]{0,62}\\.)+[A-Za-z]{2,63}$";

export const Email = Text(5, 254, {
  pattern: EMAIL_PATTERN,
  rule: 'must be an e-mail address of 5 to 254 characters',
  description: 'An e-mail address; upper and lower case are the same',
  examples: ['owner@example.com'],
});
export const Password = Text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max, {
  description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`,
});
/** Compared only, so without a minimum length. */
export const GivenPassword = Text(1, PASSWORD_LENGTH.max);
export const PersonName = Name(1, 80);

export const AuthId = Text(1, 64);

export const User = Named('User', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: DateTime,
});
export type User = Static<typeof User>;

export const FirstAccount = Named('FirstAccount', {
  needed: Type.Boolean(),
  codeNeeded: Type.Boolean({
    description: 'Whether `firstAccountCode` is needed: not for a request from the machine itself',
  }),
});

export const SignedIn = Named('SignedIn', { user: User });

export const SignInAnswer = Type.Union([
  SignedIn,
  Named('SecondFactorNeeded', {
    secondFactorNeeded: Type.Literal(true, {
      description: 'Nobody is signed in yet: `POST /v1/auth/sign-in/second-factor` is next',
    }),
  }),
]);
export type SignInAnswer = Static<typeof SignInAnswer>;

export const CurrentSession = Nullable(
  Named('Session', {
    user: User,
    expiresAt: DateTime,
    activeOrganizationId: Nullable(Type.String()),
    role: Nullable(OneOf(ROLES)),
    needsSecondFactor: Type.Boolean({
      description:
        'The active organization asks for a second factor, which this account has not; until it has, the organization is closed to it',
    }),
    needsCompany: Type.Boolean({
      description:
        'The active organization is closed to this session: it is opened by its own sign-in (`GET /v1/auth/oidc/start`)',
    }),
    byCompany: Type.Boolean({
      description: 'Signed in by the provider of an organization, which opens no other',
    }),
  }),
);
export type CurrentSession = Static<typeof CurrentSession>;

export const SignedInDevice = Named('SignedInDevice', {
  id: Type.String(),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this request' }),
  createdAt: DateTime,
  expiresAt: DateTime,
  address: Nullable(Type.String({ description: 'From where it signed in' })),
  userAgent: Nullable(Type.String({ description: 'With which program it signed in' })),
});
export type SignedInDevice = Static<typeof SignedInDevice>;

export const RevokeSessionBody = Named(
  'RevokeSessionBody',
  { sessionId: AuthId },
  { examples: [{ sessionId: 'q8Jt2mWk0vXcB5nLr7YhZs3DfGpA1eUi' }] },
);

export const Done = Named('Done', { status: Type.Literal(true) });
export type Done = Static<typeof Done>;
export const SignedOut = Named('SignedOut', { success: Type.Literal(true) });

export const SignUpBody = Named(
  'SignUpBody',
  {
    name: PersonName,
    email: Email,
    password: Password,
    invitationId: Type.Optional(
      Text(1, 128, { description: 'Needed where sign-up is by invitation' }),
    ),
    firstAccountCode: Type.Optional(
      Text(1, 64, {
        description:
          'Printed at the start of a service where nobody has an account; needed for the first one, but from the machine itself',
      }),
    ),
  },
  { examples: [{ name: 'Ada', email: 'owner@example.com', password: 'correct-horse-7-battery' }] },
);

export const SignInBody = Named(
  'SignInBody',
  {
    email: Email,
    password: GivenPassword,
    rememberMe: Type.Optional(
      Type.Boolean({ description: 'False: the session ends with the browser', default: true }),
    ),
  },
  { examples: [{ email: 'owner@example.com', password: 'correct-horse-7-battery' }] },
);

export const RequestPasswordResetBody = Named(
  'RequestPasswordResetBody',
  { email: Email },
  { examples: [{ email: 'owner@example.com' }] },
);

export const ResetPasswordBody = Named(
  'ResetPasswordBody',
  { token: Text(1, 128), newPassword: Password },
  { examples: [{ token: 'uGJ0SVb4fXbY2kq1mTzq7h0Z', newPassword: 'another-horse-8-battery' }] },
);

export const EraseAccountBody = Named(
  'EraseAccountBody',
  {
    email: { ...Email, description: 'The address of the account, so that it is meant.' },
    currentPassword: Type.Optional(GivenPassword),
    code: Type.Optional(Text(6, 64, { description: 'Where it has a second factor.' })),
  },
  { examples: [{ email: 'ada@example.com', currentPassword: 'correct-horse-7-battery' }] },
);

export const ChangePasswordBody = Named(
  'ChangePasswordBody',
  {
    currentPassword: GivenPassword,
    newPassword: Password,
  },
  {
    examples: [
      { currentPassword: 'correct-horse-7-battery', newPassword: 'another-horse-8-battery' },
    ],
  },
);
