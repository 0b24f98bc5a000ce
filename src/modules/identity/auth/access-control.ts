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
} from '../../../shared/permissions.ts';

/** better-auth's form: `{app: ['read', 'update']}`. */
export type PermissionsByResource = Record<string, string[]>;

/** `app:read` → resource `app`, action `read`. */
function parsePermission(permission: Permission) {
  const parts = permission.split(':');
  return { resource: at(parts, 0), action: at(parts, 1) };
}

export function groupPermissions(permissions: readonly Permission[]): PermissionsByResource {
  const grouped: PermissionsByResource = {};
  for (const permission of permissions) {
    const { resource, action } = parsePermission(permission);
    grouped[resource] = [...(grouped[resource] ?? []), action];
  }
  return grouped;
}

export function flattenPermissions(grouped: PermissionsByResource): Permission[] {
  return PERMISSIONS.filter((permission) => {
    const { resource, action } = parsePermission(permission);
    return grouped[resource]?.includes(action) ?? false;
  });
}

/** A role column may hold several, separated by commas. */
export function strongestRole(column: string): Role | null {
  const words = column.split(',').map((word) => word.trim());
  return ROLES.find((role) => words.includes(role)) ?? null;
}

export const shownRole = (column: string): Role => strongestRole(column) ?? 'viewer';

const API_KEYS = { apiKey: ['create', 'read', 'update', 'delete'] };

export const accessControl = createAccessControl({
  ...defaultStatements,
  ...groupPermissions(PERMISSIONS),
  ...API_KEYS,
});

const toRole = (role: Role, builtIn: Record<string, readonly string[]>) =>
  accessControl.newRole({ ...builtIn, ...groupPermissions(ROLE_PERMISSIONS[role]) });

/** For better-auth's own routes; ours read `ROLE_PERMISSIONS`. Replaces a built-in role whole. */
export const organizationRoles = {
  owner: toRole('owner', { ...ownerAc.statements, ...API_KEYS }),
  admin: toRole('admin', { ...adminAc.statements, ...API_KEYS }),
  member: toRole('member', memberAc.statements),
  viewer: toRole('viewer', memberAc.statements),
} satisfies Record<Role, unknown>;
