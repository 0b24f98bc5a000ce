export const PERMISSIONS = [
  'analytics:read',
  'analytics:sync',
  'integration:manage',
  'app:read',
  'app:update',
  'app:delete',
  'sql:ask',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const OWNERS: readonly Role[] = ['owner'];
/** Manage people, invitations and keys. */
export const MANAGERS: readonly Role[] = ['owner', 'admin'];

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS,
  member: ['analytics:read', 'analytics:sync', 'app:read', 'app:update', 'sql:ask'],
  viewer: ['analytics:read', 'app:read'],
};

export const may = (role: Role, permission: Permission): boolean =>
  ROLE_PERMISSIONS[role].includes(permission);
