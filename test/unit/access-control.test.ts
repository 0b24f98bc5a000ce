import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  flattenPermissions,
  groupPermissions,
  organizationRoles,
  strongestRole,
} from '../../src/modules/identity/auth/access-control.ts';
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '../../src/shared/permissions.ts';

describe('permissions by resource', () => {
  test('come back as they went in', () => {
    fc.assert(
      fc.property(fc.subarray([...PERMISSIONS]), (permissions) => {
        expect(flattenPermissions(groupPermissions(permissions))).toEqual(permissions);
      }),
    );
  });

  test('leave out words that are no permission of ours', () => {
    expect(flattenPermissions({ app: ['read', 'own'], toString: ['call'] })).toEqual(['app:read']);
  });
});

describe('roles inside better-auth', () => {
  test.each([...ROLES])('%s holds exactly the permissions of our table', (role) => {
    for (const permission of PERMISSIONS) {
      const granted = organizationRoles[role].authorize(groupPermissions([permission])).success;
      expect(granted).toBe(ROLE_PERMISSIONS[role].includes(permission));
    }
  });

  test('only owner and admin manage members, invitations and keys', () => {
    const manage = { member: ['update'], invitation: ['create'], apiKey: ['create'] } as const;
    const allowed = ROLES.filter((role) =>
      Object.entries(manage).every(
        ([resource, actions]) =>
          organizationRoles[role].authorize({ [resource]: [...actions] }).success,
      ),
    );
    expect(allowed).toEqual(['owner', 'admin']);
  });
});

describe('strongestRole', () => {
  test('takes the strongest of several, and none of what it does not know', () => {
    expect(strongestRole('member')).toBe('member');
    expect(strongestRole('viewer, admin')).toBe('admin');
    expect(strongestRole('king')).toBeNull();
    expect(strongestRole('')).toBeNull();
  });
});
