import type { Role } from '../../state/session.ts';
import { members as t } from '../../texts/members.ts';

/** Texts are English, and so is how they are joined. */
const listed = new Intl.ListFormat('en');

/** From the one that may least. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

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

/** Only an owner makes an owner. */
export const rolesToGive = (role: Role | null | undefined): readonly Role[] =>
  role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner');
