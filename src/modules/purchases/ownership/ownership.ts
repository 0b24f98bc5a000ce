import { spellingsOf, toAccountToken } from '../../../shared/account-token.ts';
import type { OwnershipRule } from '../model/wire.ts';

export type LinkKind = 'user' | 'anonymous' | 'token';
export type Link = { kind: LinkKind; personId: string };

export type Claimant = {
  userId: string | null;
  anonymousId: string | null;
  mappedUserId: string | null;
};

/** `mappedUserId`: the user behind an anonymous link. */
export type Ownership = {
  appAccountToken: string | null;
  links: readonly (Link & { mappedUserId: string | null })[];
  /** Transfers between people within a day. */
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
      releaseOthers: boolean;
    };

export const MOVES_PER_DAY = 3;
/** Links per chain. */
export const MAX_LINKS = 100;

const isSameUser = (one: string, other: string): boolean => spellingsOf(one).includes(other);

type Person = { user: string | null; alias: string | null };

/** Not another user's, from a shared device. */
function toPerson(claimant: Claimant): Person {
  const { userId, anonymousId, mappedUserId } = claimant;
  const user = userId ?? mappedUserId;
  const isOwn = mappedUserId === null || (user !== null && isSameUser(mappedUserId, user));
  return { user, alias: isOwn ? anonymousId : null };
}

function toLinks(person: Person): Link[] {
  const links: Link[] = [];
  if (person.user !== null) links.push({ kind: 'user', personId: person.user });
  if (person.alias !== null) links.push({ kind: 'anonymous', personId: person.alias });
  return links;
}

function linkedUsers(held: Ownership): Set<string> {
  const users = held.links.map((link) =>
    link.kind === 'user' ? link.personId : link.kind === 'anonymous' ? link.mappedUserId : null,
  );
  return new Set(users.filter((user) => user !== null));
}

function isHeldBy(held: Ownership, person: Person): boolean {
  const { user } = person;
  const users = linkedUsers(held);
  if (user !== null && [...users].some((one) => isSameUser(one, user))) return true;
  const aliasHolds = held.links.some(
    (link) => link.kind === 'anonymous' && link.personId === person.alias,
  );
  // A different user on the owner's device is not the owner.
  return aliasHolds && (user === null || users.size === 0);
}

function missingLinks(held: Ownership, links: readonly Link[]): Link[] {
  if (held.links.length >= MAX_LINKS) return [];
  return links.filter(
    ({ kind, personId }) =>
      !held.links.some((link) => link.kind === kind && link.personId === personId),
  );
}

/** The signed account token stands for one person. */
function contradictsToken(token: string, held: Ownership, person: Person, userId: string | null) {
  if ((toAccountToken(userId) ?? token) !== token) return true;
  const { user } = person;
  const users = [...linkedUsers(held)];
  return user !== null && users.length > 0 && !users.some((one) => isSameUser(one, user));
}

/** Another account has bought again: users whose ids are account tokens are told apart at once. */
function decideSignedAnew(token: string, held: Ownership, claimant: Claimant): Decision {
  if ((toAccountToken(claimant.userId) ?? token) !== token) return { kind: 'conflict' };
  const person = toPerson(claimant);
  const own: Link = { kind: 'token', personId: token };
  const links = [own, ...toLinks(person)];
  const to = links.find((link) => link.kind === 'user') ?? own;
  const change = { kind: 'change' as const, from: findOwner(held), to };
  const users = [...linkedUsers(held)];
  const isOther = (one: string) => (toAccountToken(one) ?? token) !== token;
  if (person.user !== null || users.length === 0 || users.some(isOther)) {
    const action = person.user !== null && isHeldBy(held, person) ? 'linked' : 'transferred';
    return { ...change, action, add: links, releaseOthers: true };
  }
  const add = missingLinks(held, links);
  if (add.length === 0) return { kind: 'unchanged' };
  return { ...change, action: 'linked', add, releaseOthers: false };
}

const isOfAnotherToken = (token: string, { links }: Ownership): boolean =>
  links.some(({ kind, personId }) => kind === 'token' && personId !== token);

function decideSigned(token: string, held: Ownership, claimant: Claimant): Decision {
  if (isOfAnotherToken(token, held)) return decideSignedAnew(token, held, claimant);
  const person = toPerson(claimant);
  if (contradictsToken(token, held, person, claimant.userId)) return { kind: 'conflict' };
  const own: Link = { kind: 'token', personId: token };
  const add = missingLinks(held, [own, ...toLinks(person)]);
  if (add.length === 0) return { kind: 'unchanged' };
  const to = add.find((link) => link.kind === 'user') ?? own;
  return { kind: 'change', action: 'linked', from: null, to, add, releaseOthers: false };
}

function findOwner(held: Ownership): Link | null {
  const first = held.links.find((link) => link.kind === 'user') ?? held.links[0];
  return first ? { kind: first.kind, personId: first.personId } : null;
}

/** First owner, sign-up of an anonymous buyer, or the app's rule. */
export function decideOwnership(
  rule: OwnershipRule,
  held: Ownership,
  claimant: Claimant,
): Decision {
  if (held.appAccountToken !== null) return decideSigned(held.appAccountToken, held, claimant);
  const person = toPerson(claimant);
  const links = toLinks(person);
  const [to] = links;
  if (!to) return { kind: 'unchanged' };
  const from = findOwner(held);
  const change = { kind: 'change' as const, from, to };
  if (from === null) return { ...change, action: 'linked', add: links, releaseOthers: false };
  const add = missingLinks(held, links);
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

export type PersonIds = {
  userId: string | null;
  anonymousId: string | null;
  appAccountToken: string | null;
  chainId: string | null;
};

/** Format of `purchase_links.holder`. */
export const toHolder = {
  user: (id: string) => `u:${id}`,
  anonymous: (id: string) => `a:${id}`,
  token: (id: string) => `t:${id}`,
} as const;

/** `mappedUser`: the user behind the person's anonymous id. */
export type FoundChain = {
  holder: string | null;
  users: readonly string[];
  mappedUser: string | null;
};

export function isHolder({ holder, users, mappedUser }: FoundChain, ids: PersonIds): boolean {
  const { anonymousId, appAccountToken } = ids;
  const byAlias = anonymousId !== null && holder === toHolder.anonymous(anonymousId);
  const isOfUser = !byAlias && holder?.startsWith(toHolder.anonymous(''));
  const isOfDevice = !byAlias && holder !== null && appAccountToken === null;
  const named = isOfDevice ? anonymousId : isOfUser ? appAccountToken : null;
  const user = ids.userId ?? mappedUser ?? named;
  if (byAlias && mappedUser !== null && user !== null && !isSameUser(mappedUser, user))
    return false;
  return user === null || users.length === 0 || users.some((one) => isSameUser(one, user));
}
