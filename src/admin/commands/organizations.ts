import { Type } from '@sinclair/typebox';
import { assignBackend } from '../../modules/backend/index.ts';
import {
  createKey,
  deleteOrganization,
  findOwner,
  listAllOrganizations,
  listKeys,
  NewKey,
  revokeKey,
} from '../../modules/identity/index.ts';
import { must } from '../../shared/assert.ts';
import { defineCommand } from '../command.ts';
import { findOrganization, ORG } from '../organization.ts';
import { table } from '../table.ts';

export const organizationDeleteCommand = defineCommand({
  name: 'organization delete',
  summary: 'Delete an organization and everything that it owns',
  input: Type.Object({
    org: ORG,
    confirm: Type.String({ description: 'Its slug, typed to confirm' }),
  }),
  audited: 'rows',
  run: async (ctx, { org, confirm }) => {
    const { id } = await findOrganization(ctx.deps.sql, org);
    const data = await deleteOrganization(ctx, { orgId: id, confirm, requestedBy: 'operator' });
    return { data, text: `Deleted ${data.name}. ${data.note}` };
  },
});

export const organizationListCommand = defineCommand({
  name: 'organization list',
  summary: 'List the organizations of this service',
  input: Type.Object({}),
  run: async ({ deps }) => {
    const data = await listAllOrganizations(deps.sql);
    const rows = data.map(({ id, slug, name, createdAt }) => [id, slug, name, createdAt]);
    return { data, text: table(['ID', 'SLUG', 'NAME', 'CREATED'], rows) };
  },
});

export const backendAssignCommand = defineCommand({
  name: 'backend assign',
  summary: 'Let the apps of an organization use a backend project that exists',
  input: Type.Object({
    org: ORG,
    ref: Type.String({ description: "The provider's ref of the project" }),
  }),
  audited: 'rows',
  run: async (ctx, { org, ref }) => {
    const { id } = await findOrganization(ctx.deps.sql, org);
    const data = await assignBackend(ctx, { orgId: id, projectRef: ref });
    return { data, text: `${data.projectRef} may be used by ${data.orgId}.` };
  },
});

export const keyCreateCommand = defineCommand({
  name: 'key create',
  summary: 'Create an organization key; it is shown once',
  input: Type.Object({
    org: ORG,
    name: { ...NewKey.properties.name, description: 'Name of the key, 1 to 60 characters' },
    permissions: {
      ...NewKey.properties.permissions,
      description: 'Separated by commas, such as app:read,analytics:read',
    },
  }),
  audited: 'rows',
  run: async (ctx, { org, name, permissions }) => {
    const { id } = await findOrganization(ctx.deps.sql, org);
    const owner = must(await findOwner(ctx.deps.sql, id), 'every organization has an owner');
    const data = await createKey(ctx, { orgId: id, userId: owner.userId, name, permissions });
    return { data, text: `${data.secret}\n\nKey ${data.key.id}; it is not shown again.` };
  },
});

export const keyListCommand = defineCommand({
  name: 'key list',
  summary: 'List the keys of an organization, revoked ones included',
  input: Type.Object({ org: ORG }),
  run: async ({ deps }, { org }) => {
    const { id } = await findOrganization(deps.sql, org);
    const data = await listKeys({ deps, orgId: id });
    const rows = data.map((key) => [
      key.id,
      key.name,
      key.prefix,
      key.permissions.join(','),
      key.revokedAt === null ? 'active' : `revoked ${key.revokedAt}`,
      key.createdBy ?? '',
      key.lastUsedAt ?? '',
    ]);
    return {
      data,
      text: table(['ID', 'NAME', 'PREFIX', 'PERMISSIONS', 'STATE', 'MADE BY', 'LAST USED'], rows),
    };
  },
});

export const keyRevokeCommand = defineCommand({
  name: 'key revoke',
  summary: 'Revoke an organization key; it is refused within 5 seconds',
  input: Type.Object({
    org: ORG,
    key: Type.String({ description: 'Id of the key' }),
  }),
  audited: 'rows',
  run: async ({ deps }, { org, key }) => {
    const { id } = await findOrganization(deps.sql, org);
    await revokeKey({ deps, orgId: id }, { keyId: key });
    return { data: { revoked: key }, text: `Revoked ${key}.` };
  },
});
