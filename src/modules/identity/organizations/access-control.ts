import { createAccessControl } from 'better-auth/plugins/access';
import {
  adminAc,
  defaultStatements,
  memberAc,
  ownerAc,
} from 'better-auth/plugins/organization/access';
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

export function groupPermissions(permissions: readonly Permission[]): PermissionsByResource {
  const grouped: PermissionsByResource = {};
  for (const permission of permissions) {
    const [resource = '', action = ''] = permission.split(':');
    grouped[resource] = [...(grouped[resource] ?? []), action];
  }
  return grouped;
}

/** The inverse of `groupPermissions`; words that are no permission of ours are left out. */
export function flattenPermissions(grouped: PermissionsByResource): Permission[] {
  return PERMISSIONS.filter((permission) => {
    const [resource = '', action = ''] = permission.split(':');
    return grouped[resource]?.includes(action) ?? false;
  });
}

/** A member's role column may hold several words by comma; the strongest one counts. */
export function strongestRole(column: string): Role | null {
  const words = column.split(',').map((word) => word.trim());
  return ROLES.find((role) => words.includes(role)) ?? null;
}

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
