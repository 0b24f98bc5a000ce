import { type Static, Type } from '@sinclair/typebox';
import { ROLES } from '../../../shared/permissions.ts';
import { DateTime, Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { AuthId } from './account.ts';

/** Reasons of a refused sign-in, as the console is told them. */
export const REFUSALS = [
  'no_provider',
  'provider_away',
  'provider_refused',
  'answer_not_valid',
  'too_late',
  'signed_in',
  'address_not_verified',
  'domain_not_allowed',
  'address_not_valid',
  'linked_otherwise',
  'join_first',
  'other_address',
  'sign_up_closed',
  'full',
  'too_many_today',
  'no_group',
  'removed',
  'no_refresh_token',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const RoleWord = OneOf(ROLES, { description: 'What its members may do' });

export const GroupRole = Type.Object({ group: Text(1, 256), role: RoleWord });
export type GroupRole = Static<typeof GroupRole>;

const SETTINGS = {
  issuer: Text(9, 512, { description: 'Address of the issuer, as its discovery document has it' }),
  clientId: Text(1, 256),
  domains: Type.Array(
    Text(4, 253, {
      pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,63}$',
      rule: 'must be a domain in lower case',
    }),
    {
      minItems: 1,
      maxItems: 20,
      description: 'Of the mail addresses that may sign in; subdomains are others',
    },
  ),
  groupsClaim: Text(1, 128, { description: 'Claim with the names or ids of the groups' }),
  roles: Type.Array(GroupRole, {
    maxItems: 100,
    description: 'Who is in several has the strongest role',
  }),
  roleWithoutGroup: Nullable(
    OneOf(ROLES, { description: 'Of who is in none of them; null: refused' }),
  ),
  isOnlyWay: Type.Boolean({
    description: 'Sessions by password are closed to this organization; keys go on',
  }),
};

export const SignInProviderBody = Named(
  'SignInProviderBody',
  {
    ...SETTINGS,
    clientSecret: Type.Optional(
      Text(1, 512, { description: 'Left out, the one that is kept stays' }),
    ),
  },
  {
    examples: [
      {
        issuer: 'https://login.example.com',
        clientId: 'control-plane',
        clientSecret: 'kept-by-the-issuer-too',
        domains: ['example.com'],
        groupsClaim: 'groups',
        roles: [{ group: 'mobile', role: 'member' }],
        roleWithoutGroup: null,
        isOnlyWay: false,
      },
    ],
  },
);
export type SignInProviderBody = Static<typeof SignInProviderBody>;

export const SignInProvider = Named('SignInProvider', {
  redirectUri: Type.String({ description: 'To be registered at the issuer' }),
  logoutUri: Type.String({ description: 'Its back-channel logout' }),
  startUri: Type.String({ description: 'Where a sign-in begins' }),
  provider: Nullable(Named('KnownSignInProvider', { ...SETTINGS, updatedAt: DateTime })),
});
export type SignInProvider = Static<typeof SignInProvider>;

export const StartQuery = Type.Object({
  organization: Text(1, 64, { description: 'Short name of the organization' }),
});

export const JoinBody = Named('JoinCompanyBody', StartQuery.properties, {
  examples: [{ organization: 'example-apps' }],
});

export const JoinStarted = Named('JoinCompanyStarted', {
  location: Type.String({ description: 'Where the browser goes next' }),
});

export const OfOrganization = Type.Object({ organizationId: AuthId });

/** The issuer's words; those that count are read by the library. */
export const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_096 })),
  state: Type.Optional(Type.String({ maxLength: 512 })),
  iss: Type.Optional(Type.String({ maxLength: 512 })),
  error: Type.Optional(Type.String({ maxLength: 512 })),
  error_description: Type.Optional(Type.String({ maxLength: 2_048 })),
  error_uri: Type.Optional(Type.String({ maxLength: 2_048 })),
  session_state: Type.Optional(Type.String({ maxLength: 2_048 })),
});

export const LogoutBody = Named(
  'BackChannelLogoutBody',
  { logout_token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { examples: [{ logout_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' }] },
);
