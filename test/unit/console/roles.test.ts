import { describe, expect, test } from 'bun:test';
import { gives, roleChange, rolesToGive } from '../../../src/console/pages/members/roles.ts';

describe('another role', () => {
  test('says what somebody gains, through every role between', () => {
    expect(roleChange('Vic', 'viewer', 'admin')).toBe(
      'Vic will be able to make and change apps, funnels and experiments and manage members, keys and connections.',
    );
  });

  test('says what somebody loses', () => {
    expect(roleChange('Vic', 'owner', 'admin')).toBe(
      'Vic will no longer be able to make other owners and delete the organization.',
    );
    expect(roleChange('Vic', 'member', 'viewer')).toBe(
      'Vic will no longer be able to make and change apps, funnels and experiments.',
    );
  });

  test('is asked again where it gives more, and only an owner makes owners', () => {
    expect([gives('viewer', 'admin'), gives('admin', 'viewer')]).toEqual([true, false]);
    expect(rolesToGive(false)).not.toContain('owner');
    expect(rolesToGive(true)).toContain('owner');
  });
});
