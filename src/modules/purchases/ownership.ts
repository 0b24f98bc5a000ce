import type { OwnershipRule } from './model.ts';

export type LinkKind = 'user' | 'anonymous' | 'token';
export type Link = { kind: LinkKind; personId: string };

/** The ids that came with a transaction, and the user that the anonymous id is known as. */
export type Presented = {
  userId: string | null;
  anonymousId: string | null;
  mappedUserId: string | null;
};

/** How a chain is held now. `mappedUserId` of an anonymous link is the user behind it, if known. */
export type Held = {
  appAccountToken: string | null;
  links: readonly (Link & { mappedUserId: string | null })[];
  /** Moves between people within the last day. */
  recentMoves: number;
};

export type OwnershipAction = 'linked' | 'claimed' | 'transferred' | 'kept' | 'shared';

export type Decision =
  | { kind: 'unchanged' }
  | { kind: 'conflict' }
  | { kind: 'too_many_moves' }
  | {
      kind: 'change';
      action: OwnershipAction;
      from: Link | null;
      to: Link;
      add: Link[];
      /** Everybody who held it before lets go. */
      releaseOthers: boolean;
    };

export const MOVES_PER_DAY = 3;
/** Devices and users beside the first one; beyond it nobody is added any more. */
export const MAX_LINKS = 100;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Person = { user: string | null; alias: string | null };

/** An anonymous id that is known as another user stands on a shared device: it is left out. */
function personOf(presented: Presented): Person {
  const { userId, anonymousId, mappedUserId } = presented;
  const user = userId ?? mappedUserId;
  return { user, alias: mappedUserId === null || mappedUserId === user ? anonymousId : null };
}

function linksOf(person: Person): Link[] {
  const links: Link[] = [];
  if (person.user !== null) links.push({ kind: 'user', personId: person.user });
  if (person.alias !== null) links.push({ kind: 'anonymous', personId: person.alias });
  return links;
}

function usersOf(held: Held): Set<string> {
  const behind = held.links.map((link) =>
    link.kind === 'user' ? link.personId : link.kind === 'anonymous' ? link.mappedUserId : null,
  );
  return new Set(behind.filter((user) => user !== null));
}

function isHeldBy(held: Held, person: Person): boolean {
  const users = usersOf(held);
  if (person.user !== null && users.has(person.user)) return true;
  const aliasHolds = held.links.some(
    (link) => link.kind === 'anonymous' && link.personId === person.alias,
  );
  // Somebody else who signs in on the device of the owner is somebody else.
  return aliasHolds && (person.user === null || users.size === 0);
}

function missing(held: Held, links: readonly Link[]): Link[] {
  if (held.links.length >= MAX_LINKS) return [];
  return links.filter(
    (link) => !held.links.some((one) => one.kind === link.kind && one.personId === link.personId),
  );
}

/** The signed account token names one person; ids that name another are refused. */
function contradictsToken(token: string, held: Held, person: Person, userId: string | null) {
  if (userId !== null && UUID.test(userId) && userId.toLowerCase() !== token) return true;
  const users = usersOf(held);
  return person.user !== null && users.size > 0 && !users.has(person.user);
}

function decideSigned(token: string, held: Held, presented: Presented): Decision {
  const person = personOf(presented);
  if (contradictsToken(token, held, person, presented.userId)) return { kind: 'conflict' };
  const own: Link = { kind: 'token', personId: token };
  const add = missing(held, [own, ...linksOf(person)]);
  if (add.length === 0) return { kind: 'unchanged' };
  const to = add.find((link) => link.kind === 'user') ?? own;
  return { kind: 'change', action: 'linked', from: null, to, add, releaseOthers: false };
}

function ownerOf(held: Held): Link | null {
  const first = held.links.find((link) => link.kind === 'user') ?? held.links[0];
  return first ? { kind: first.kind, personId: first.personId } : null;
}

/**
 * What happens to a chain when somebody presents a transaction of it: nothing, a first owner, an
 * anonymous buyer who signed up, or another person, for whom the app's rule decides.
 */
export function decideOwnership(rule: OwnershipRule, held: Held, presented: Presented): Decision {
  if (held.appAccountToken !== null) return decideSigned(held.appAccountToken, held, presented);
  const person = personOf(presented);
  const links = linksOf(person);
  const [to] = links;
  if (!to) return { kind: 'unchanged' };
  const from = ownerOf(held);
  const change = { kind: 'change' as const, from, to };
  if (from === null) return { ...change, action: 'linked', add: links, releaseOthers: false };
  const add = missing(held, links);
  if (isHeldBy(held, person)) {
    if (add.length === 0) return { kind: 'unchanged' };
    const claims = to.kind === 'user' && !held.links.some((link) => link.kind === 'user');
    const action = claims ? 'claimed' : 'linked';
    return { ...change, action, add, releaseOthers: false };
  }
  if (rule === 'keep') return { ...change, action: 'kept', add: [], releaseOthers: false };
  if (rule === 'share') return { ...change, action: 'shared', add, releaseOthers: false };
  if (held.recentMoves >= MOVES_PER_DAY) return { kind: 'too_many_moves' };
  return { ...change, action: 'transferred', add: links, releaseOthers: true };
}
