import { copyKey, KEY_WORDS, type Projection } from '../../../event-store/projections.ts';
import { at, must } from '../../../shared/assert.ts';

const NAMED = 1;
const ANONYMOUS = 2;

export type MemberKeys = {
  keys: Uint32Array<SharedArrayBuffer>;
  kinds: Uint8Array<SharedArrayBuffer>;
};

export type Members = Readonly<Record<string, MemberKeys>>;

function findSlot({ keys, kinds }: MemberKeys, words: Uint32Array, entry: number): number {
  const offset = entry * KEY_WORDS;
  const mask = kinds.length - 1;
  let slot = words[offset] >>> (Math.clz32(kinds.length) + 1);
  while (kinds[slot] !== 0) {
    const place = slot * KEY_WORDS;
    if (
      keys[place + 1] === words[offset + 1] &&
      keys[place] === words[offset] &&
      keys[place + 2] === words[offset + 2] &&
      keys[place + 3] === words[offset + 3]
    ) {
      return slot;
    }
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** Four words a key. */
export function memberKeys(named: Uint32Array, anonymous: Uint32Array): MemberKeys {
  let size = 16;
  while (size * KEY_WORDS < 2 * (named.length + anonymous.length)) size *= 2;
  const members = {
    keys: new Uint32Array(new SharedArrayBuffer(size * KEY_WORDS * Uint32Array.BYTES_PER_ELEMENT)),
    kinds: new Uint8Array(new SharedArrayBuffer(size)),
  };
  for (const [words, kind] of [[named, NAMED] as const, [anonymous, ANONYMOUS] as const]) {
    for (let entry = 0; entry * KEY_WORDS < words.length; entry += 1) {
      const slot = findSlot(members, words, entry);
      copyKey(words, entry, members.keys, slot);
      members.kinds[slot] |= kind;
    }
  }
  return members;
}

export const hasKey = (members: MemberKeys, words: Uint32Array, entry: number): boolean =>
  (members.kinds[findSlot(members, words, entry)] & NAMED) !== 0;

export function keyTexts({ keys, kinds }: MemberKeys, on: 'anonymous' | 'named'): string[] {
  const kind = on === 'named' ? NAMED : ANONYMOUS;
  const texts: string[] = [];
  for (let slot = 0; slot < kinds.length; slot += 1) {
    if ((kinds[slot] & kind) === 0) continue;
    const words = keys.subarray(slot * KEY_WORDS, (slot + 1) * KEY_WORDS);
    texts.push(Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(''));
  }
  return texts;
}

const [UNKNOWN, OUT, IN] = [0, 1, 2];

/** Each is looked up once. */
export class EntryMembers {
  readonly #members: MemberKeys;
  readonly #projection: Projection;
  readonly #known: Uint8Array;

  constructor(members: MemberKeys, projection: Projection) {
    this.#members = members;
    this.#projection = projection;
    this.#known = new Uint8Array(projection.entries);
  }

  has(entry: number): boolean {
    if (this.#known[entry] === UNKNOWN) this.#known[entry] = this.#look(entry) ? IN : OUT;
    return this.#known[entry] === IN;
  }

  #look(entry: number): boolean {
    const { keys, profileOf, profiles } = this.#projection;
    const { isAnonymous } = at(profiles, profileOf[entry]);
    const kinds = this.#members.kinds[findSlot(this.#members, keys, entry)];
    return (kinds & (isAnonymous ? ANONYMOUS : NAMED)) !== 0;
  }
}

export class PartMembers {
  readonly #members: Members;
  readonly #projection: Projection;
  readonly #found = new Map<string, EntryMembers>();

  constructor(members: Members, projection: Projection) {
    this.#members = members;
    this.#projection = projection;
  }

  of(membership: string): EntryMembers {
    const known = this.#found.get(membership);
    if (known) return known;
    const members = must(this.#members[membership], 'a question brings the members that it names');
    const made = new EntryMembers(members, this.#projection);
    this.#found.set(membership, made);
    return made;
  }
}
