import { Type } from '@sinclair/typebox';
import * as identity from '../../modules/identity/index.ts';
import { ROLES } from '../../shared/permissions.ts';
import { OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { defineCommand } from '../command.ts';
import { findOrganization, ORG } from '../organization.ts';
import { table } from '../table.ts';

const EXISTING = Type.Optional(
  Type.Boolean({
    description: 'Even if the account has not verified its address',
  }),
);

export const bootstrapCommand = defineCommand({
  name: 'bootstrap',
  summary: 'Create an organization, its owner and a key with every permission',
  input: Type.Object({
    org: Text(1, 80, { description: 'Name of the organization; a new one is created each time' }),
    email: { ...identity.Email, description: 'Address of the owner; an existing account is used' },
    password: Type.Optional({
      ...identity.Password,
      description: 'For a new account, 10 to 128 characters; generated if omitted',
    }),
    existing: EXISTING,
  }),
  audited: 'rows',
  run: async (ctx, { org, email, password, existing }) => {
    const data = await identity.bootstrap(ctx, { organization: org, email, password, existing });
    return {
      data,
      text: [
        `Organization  ${data.organizationId}`,
        `Owner         ${data.email} (${data.userId})`,
        `Password      ${data.password ?? 'unchanged: the account existed already'}`,
        `API key       ${data.apiKey}`,
        '',
        'The key and the password are not shown again.',
      ].join('\n'),
    };
  },
});

export const memberListCommand = defineCommand({
  name: 'member list',
  summary: 'List the members of an organization',
  input: Type.Object({ org: ORG }),
  run: async ({ deps }, { org }) => {
    const { id } = await findOrganization(deps.sql, org);
    const data = await identity.listMemberRows(deps.sql, id);
    const rows = data.map(({ userId, email, role, name }) => [userId, email, role, name]);
    return { data, text: table(['USER', 'EMAIL', 'ROLE', 'NAME'], rows) };
  },
});

export const memberRoleCommand = defineCommand({
  name: 'member role',
  summary: 'Give a person a role in an organization, adding them as a member if needed',
  input: Type.Object({
    org: ORG,
    email: { ...identity.Email, description: 'Address of an existing account' },
    role: OneOf(ROLES, { description: ROLES.join(', ') }),
    existing: EXISTING,
  }),
  audited: 'rows',
  run: async (ctx, { org, email, role, existing }) => {
    const { id } = await findOrganization(ctx.deps.sql, org);
    const data = await identity.setMemberRole(ctx, { orgId: id, email, role, existing });
    return { data, text: `${data.email} is ${data.role} of ${org}.` };
  },
});

export const passwordResetCommand = defineCommand({
  name: 'password reset',
  summary: 'Set a new password for an account and end its sessions',
  input: Type.Object({
    email: { ...identity.Email, description: 'Address of the account' },
    password: Type.Optional({
      ...identity.Password,
      description: '10 to 128 characters; generated if omitted',
    }),
  }),
  audited: 'rows',
  run: async (ctx, input) => {
    const data = await identity.setPassword(ctx, input);
    return { data, text: `The password of ${data.email} is now ${data.password}` };
  },
});

export const accountEraseCommand = defineCommand({
  name: 'account erase',
  summary: 'Erase an account: name, address, survey, sessions, sign-ins and memberships',
  input: Type.Object({ email: { ...identity.Email, description: 'Address of the account' } }),
  audited: 'rows',
  run: async (ctx, input) => {
    const data = await identity.eraseAccount(ctx, input);
    return { data, text: `The account of ${data.email} is erased.` };
  },
});

export const secondFactorRemoveCommand = defineCommand({
  name: 'second-factor remove',
  summary: 'Take a lost second factor from an account and end its sessions',
  input: Type.Object({ email: { ...identity.Email, description: 'Address of the account' } }),
  audited: 'rows',
  run: async (ctx, input) => {
    const data = await identity.takeAwaySecondFactor(ctx, input);
    const text = data.wasOn
      ? `${data.email} signs in without a second factor now.`
      : `${data.email} had no second factor.`;
    return { data, text };
  },
});

export const providerOffCommand = defineCommand({
  name: 'provider off',
  summary: 'Let an organization sign in by passwords again; ends sessions by its provider',
  input: Type.Object({ org: ORG }),
  audited: 'rows',
  run: async (ctx, { org }) => {
    const { id, slug } = await findOrganization(ctx.deps.sql, org);
    const wasThere = await identity.turnProviderOff(ctx, { orgId: id });
    const text = wasThere ? `${slug} signs in by passwords.` : `${slug} had no provider.`;
    return { data: { organizationId: id, wasThere }, text };
  },
});

export const signUpInviteCommand = defineCommand({
  name: 'sign-up invite',
  summary: 'Let somebody create an account where sign-up is by invitation',
  input: Type.Object({
    email: { ...identity.Email, description: 'Address that the account will have' },
  }),
  audited: 'act',
  run: async (ctx, input) => {
    const data = await identity.inviteToSignUp(ctx, input);
    return { data, text: `${data.link}\n\nGood until ${data.expiresAt}; it is not shown again.` };
  },
});
