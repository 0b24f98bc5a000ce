import { createAccessControl } from 'better-auth/plugins/access';
import {
  adminAc,
  defaultStatements,
  memberAc,
  ownerAc,
} from 'better-auth/plugins/organization/access';
import { at } from '../../../shared/assert.ts';
import {
  PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
  STATEMENTS,
} from '../../../shared/permissions.ts';

/** Permissions grouped by resource, the form that better-auth reads: `{app: ['read', 'update']}`. */
export type PermissionsByResource = Record<string, string[]>;

/** `app:read` → resource `app`, action `read`. */
function partsOf(permission: Permission) {
  const parts = permission.split(':');
  return { resource: at(parts, 0), action: at(parts, 1) };
}

export function groupPermissions(permissions: readonly Permission[]): PermissionsByResource {
  const grouped: PermissionsByResource = {};
  for (const permission of permissions) {
    const { resource, action } = partsOf(permission);
    grouped[resource] = [...(grouped[resource] ?? []), action];
  }
  return grouped;
}

/** The inverse of `groupPermissions`; leaves out what is no permission of ours. */
export function flattenPermissions(grouped: PermissionsByResource): Permission[] {
  return PERMISSIONS.filter((permission) => {
    const { resource, action } = partsOf(permission);
    return grouped[resource]?.includes(action) ?? false;
  });
}

/** The strongest role of a member's role column, which may hold several by comma. */
export function strongestRole(column: string): Role | null {
  const words = column.split(',').map((word) => word.trim());
  return ROLES.find((role) => words.includes(role)) ?? null;
}

/** The role that answers show; an unknown one counts as the weakest. */
export const shownRole = (column: string): Role => strongestRole(column) ?? 'viewer';

const API_KEY_ACTIONS = ['create', 'read', 'update', 'delete'] as const;

export const accessControl = createAccessControl({
  ...defaultStatements,
  ...STATEMENTS,
  apiKey: API_KEY_ACTIONS,
});

/**
 * What each role may do inside better-auth (members, invitations, organization keys). Our own
 * routes read `ROLE_PERMISSIONS` directly. A role given here replaces the built-in one whole.
 */
export const organizationRoles = {
  owner: accessControl.newRole({
    ...ownerAc.statements,
    ...groupPermissions(ROLE_PERMISSIONS.owner),
    apiKey: API_KEY_ACTIONS,
  }),
  admin: accessControl.newRole({
    ...adminAc.statements,
    ...groupPermissions(ROLE_PERMISSIONS.admin),
    apiKey: API_KEY_ACTIONS,
  }),
  member: accessControl.newRole({
    ...memberAc.statements,
    ...groupPermissions(ROLE_PERMISSIONS.member),
  }),
  viewer: accessControl.newRole({
    ...memberAc.statements,
    ...groupPermissions(ROLE_PERMISSIONS.viewer),
  }),
} satisfies Record<Role, unknown>;
