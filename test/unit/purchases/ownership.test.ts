import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Claimant,
  decideOwnership,
  toHolder,
  isHolder,
  type Link,
  MAX_LINKS,
  MOVES_PER_DAY,
  type Ownership,
} from '../../../src/modules/purchases/ownership/ownership.ts';

const held = (
  links: (Link & { mappedUserId?: string })[],
  rest: Partial<Ownership> = {},
): Ownership => ({
  appAccountToken: null,
  recentMoves: 0,
  ...rest,
  links: links.map((link) => ({ mappedUserId: null, ...link })),
});
const presented = (given: Partial<Claimant>): Claimant => ({
  userId: null,
  anonymousId: null,
  mappedUserId: null,
  ...given,
});
const user = (personId: string): Link => ({ kind: 'user', personId });
const anonymous = (personId: string): Link => ({ kind: 'anonymous', personId });

describe('a chain found by a link', () => {
  const ids = {
    userId: null,
    anonymousId: null,
    appAccountToken: null,
    chainId: '1',
  };
  const found = { holder: null, users: [], mappedUser: null };

  test('is that of its user, of an alias of that user, and of anybody while it has no user', () => {
    const owned = { ...found, users: ['ann', 'bob'] };
    expect(isHolder(owned, { ...ids, userId: 'bob' })).toBe(true);
    expect(isHolder(owned, { ...ids, userId: 'eve' })).toBe(false);
    expect(isHolder({ ...owned, mappedUser: 'ann' }, ids)).toBe(true);
    expect(isHolder({ ...owned, mappedUser: 'eve' }, ids)).toBe(false);
    expect(isHolder(owned, ids)).toBe(true);
    expect(isHolder(found, { ...ids, userId: 'eve' })).toBe(true);
  });

  test('by an alias of another user is not, but by another link is', () => {
    const shared = { holder: toHolder.anonymous('device'), users: [], mappedUser: 'ann' };
    const asked = { ...ids, userId: 'bob', anonymousId: 'device' };
    expect(isHolder(shared, asked)).toBe(false);
    expect(isHolder({ ...shared, mappedUser: 'bob' }, asked)).toBe(true);
    expect(isHolder({ ...shared, mappedUser: null }, asked)).toBe(true);
    expect(isHolder({ ...shared, holder: toHolder.user('bob') }, asked)).toBe(true);
    expect(isHolder(shared, { ...asked, userId: null })).toBe(true);
  });
});

test('a chain moves three times a day and has a hundred links at most', () => {
  expect([MOVES_PER_DAY, MAX_LINKS]).toEqual([3, 100]);
});

test('only a transfer takes the chain from its holders', () => {
  const by = (rule: 'transfer' | 'share' | 'keep') =>
    decideOwnership(rule, held([user('ann')]), presented({ userId: 'bob' }));
  expect(by('transfer')).toMatchObject({ action: 'transferred', releaseOthers: true });
  expect(by('share')).toMatchObject({ action: 'shared', releaseOthers: false });
  expect(by('keep')).toMatchObject({ action: 'kept', releaseOthers: false, add: [] });
});

describe('a purchase that nobody holds', () => {
  test('goes to who presents it, under every id that is theirs', () => {
    const decision = decideOwnership(
      'transfer',
      held([]),
      presented({ userId: 'u1', anonymousId: 'a1' }),
    );
    expect(decision).toMatchObject({ action: 'linked', add: [user('u1'), anonymous('a1')] });
  });

  test('stays with nobody when nobody is named', () => {
    expect(decideOwnership('transfer', held([]), presented({}))).toEqual({ kind: 'unchanged' });
  });

  test('leaves out an anonymous id that is known as somebody else', () => {
    const who = presented({ userId: 'u2', anonymousId: 'a1', mappedUserId: 'u1' });
    expect(decideOwnership('keep', held([]), who)).toMatchObject({ add: [user('u2')] });
  });
});

describe('a purchase that somebody holds', () => {
  test('is not moved by its holder', () => {
    const mine = held([user('u1'), anonymous('a1')]);
    for (const who of [
      presented({ userId: 'u1' }),
      presented({ anonymousId: 'a1' }),
      presented({ userId: 'u1', anonymousId: 'a1' }),
    ]) {
      expect(decideOwnership('transfer', mine, who)).toEqual({ kind: 'unchanged' });
    }
  });

  test('is claimed by the anonymous buyer who signed up', () => {
    const who = presented({ userId: 'u1', anonymousId: 'a1' });
    expect(decideOwnership('keep', held([anonymous('a1')]), who)).toMatchObject({
      action: 'claimed',
      add: [user('u1')],
      releaseOthers: false,
    });
    const mapped = held([{ ...anonymous('a9'), mappedUserId: 'u1' }]);
    const later = presented({ userId: 'u1' });
    expect(decideOwnership('keep', mapped, later)).toMatchObject({ action: 'claimed' });
  });

  test('is not claimed by who signs in on the device of another user', () => {
    const who = presented({ userId: 'u2', anonymousId: 'a1' });
    const theirs = held([user('u1'), anonymous('a1')]);
    expect(decideOwnership('keep', theirs, who)).toMatchObject({ action: 'kept', add: [] });
    expect(decideOwnership('share', theirs, who)).toMatchObject({ action: 'shared' });
    expect(decideOwnership('transfer', theirs, who)).toMatchObject({
      action: 'transferred',
      from: user('u1'),
      to: user('u2'),
      releaseOthers: true,
    });
  });

  test('moves three times a day at most', () => {
    const theirs = held([user('u1')], { recentMoves: MOVES_PER_DAY });
    const who = presented({ userId: 'u2' });
    expect(decideOwnership('transfer', theirs, who)).toEqual({ kind: 'too_many_moves' });
    expect(decideOwnership('transfer', theirs, presented({ userId: 'u1' }))).toEqual({
      kind: 'unchanged',
    });
  });

  test('takes in only so many people', () => {
    const many = Array.from({ length: MAX_LINKS }, (_, index) => user(`u${index}`));
    const who = presented({ userId: 'one-more' });
    expect(decideOwnership('share', held(many), who)).toMatchObject({ add: [] });
  });
});

describe('a purchase that was signed for an account', () => {
  const token = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
  const signed = (links: Link[]) => held(links, { appAccountToken: token });

  test('is bound to the first user, and refused to another, whatever the rule', () => {
    const first = decideOwnership('transfer', signed([]), presented({ userId: 'u1' }));
    expect(first).toMatchObject({ add: [{ kind: 'token', personId: token }, user('u1')] });
    const bound = signed([{ kind: 'token', personId: token }, user('u1')]);
    for (const rule of ['transfer', 'keep', 'share'] as const) {
      const other = decideOwnership(rule, bound, presented({ userId: 'u2' }));
      expect(other).toEqual({ kind: 'conflict' });
      const device = presented({ anonymousId: 'a1', mappedUserId: 'u2' });
      expect(decideOwnership(rule, bound, device)).toEqual({ kind: 'conflict' });
    }
    expect(decideOwnership('keep', bound, presented({ userId: 'u1' }))).toEqual({
      kind: 'unchanged',
    });
  });

  test('goes to the user who presents it, else stays with the token', () => {
    const by = (claimant: Claimant) => decideOwnership('keep', signed([]), claimant);
    expect(by(presented({ userId: 'u1' }))).toMatchObject({ to: user('u1'), from: null });
    expect(by(presented({ anonymousId: 'a1' }))).toMatchObject({
      to: { kind: 'token', personId: token },
    });
  });

  test('is refused to a user whose id is another account token', () => {
    const other = presented({ userId: '00000000-8b86-4011-b42d-00c04fc964ff' });
    expect(decideOwnership('transfer', signed([]), other)).toEqual({ kind: 'conflict' });
    const same = presented({ userId: token.toUpperCase() });
    expect(decideOwnership('transfer', signed([]), same)).toMatchObject({ action: 'linked' });
  });
});

test('whoever presents it, with transfer one person holds it, with keep the first', () => {
  const people = fc.array(fc.constantFrom('u1', 'u2', 'u3'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(people, fc.constantFrom('transfer' as const, 'keep' as const), (who, rule) => {
      let links: Link[] = [];
      for (const userId of who) {
        const decision = decideOwnership(rule, held(links), presented({ userId }));
        if (decision.kind !== 'change') continue;
        links = decision.releaseOthers ? decision.add : [...links, ...decision.add];
      }
      expect(links).toEqual([user(rule === 'keep' ? who[0]! : who.at(-1)!)]);
    }),
  );
});
