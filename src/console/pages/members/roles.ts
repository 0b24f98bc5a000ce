import { OWNERS, ROLES as STRONGEST_FIRST, type Role } from '../../../shared/permissions.ts';
import { members as t } from '../../texts/members.ts';

/** Texts are English, and so is how they are joined. */
const listed = new Intl.ListFormat('en');

export const ROLES = STRONGEST_FIRST.toReversed();

const rankOf = (role: Role): number => ROLES.indexOf(role);

export const gives = (from: Role, to: Role): boolean => rankOf(to) > rankOf(from);

export const roleOf = (text: string): Role => ROLES.find((role) => role === text) ?? 'viewer';

export function roleChange(name: string, from: Role, to: Role): string {
  const between = ROLES.slice(
    Math.min(rankOf(from), rankOf(to)) + 1,
    Math.max(rankOf(from), rankOf(to)) + 1,
  );
  const acts = listed.format(between.flatMap((role) => (role === 'viewer' ? [] : [t.acts[role]])));
  return gives(from, to) ? t.gains(name, acts) : t.loses(name, acts);
}

export const rolesToGive = (isOwner: boolean): readonly Role[] =>
  isOwner ? ROLES : ROLES.filter((one) => !OWNERS.includes(one));
