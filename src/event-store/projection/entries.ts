import { at } from '../../shared/assert.ts';
import { KEY_WORDS, type Profile, type Sender } from './format.ts';
import { Words } from './words.ts';

const MAX_PROFILES = 65_536;
/** Numbers of profiles in one byte. */
const FEW_PROFILES = 256;
const KEY_BYTES = 4 * KEY_WORDS;
/** Size of a row without properties: its time and the step from the person before. */
const ROW_BYTES = 6;
/** Size of a profile in the header. */
const PROFILE_BYTES = 130;
/** Another fifth of the rest: files with few rows have headers too. */
const FREE_SENDER_BYTES = 16_384;

export type People = {
  keys: Uint32Array;
  profileOf: Int32Array;
  entryOf: Int32Array;
  profiles: readonly Profile[];
};

/** `bounded`: at most a fifth more. */
export type KeptSenders = 'all' | 'bounded' | 'none';

type OpenEntry = { entry: number; sender: number; isAnonymous: boolean; isCounted: boolean };

/** An entry for each sender of a person, with a user and without. */
export class Entries {
  readonly #senders: Sender[] = [];
  readonly #keys = new Words((length) => new Uint32Array(length), KEY_WORDS * 1_024);
  /** `sender * 4 + isAnonymous * 2 + isCounted`. */
  readonly #kinds = new Words((length) => new Int32Array(length));
  /** The first entry of the same person with a user, or without. */
  readonly #firstOf = new Words((length) => new Int32Array(length));
  readonly #entryOf = new Words((length) => new Int32Array(length));
  /** Last row's person, by `sender * 2 + isAnonymous`. */
  readonly #open = new Map<number, OpenEntry>();
  readonly #first: { known: number | null; anonymous: number | null } = {
    known: null,
    anonymous: null,
  };
  #firsts = 0;
  #key: readonly number[] = [];

  sender(sender: Sender): number {
    return this.#senders.push(sender) - 1;
  }

  person(a: number, b: number, c: number, d: number): void {
    const [a0, b0, c0, d0] = this.#key;
    if (a === a0 && b === b0 && c === c0 && d === d0) return;
    this.#close();
    this.#key = [a, b, c, d];
  }

  row(sender: number, isAnonymous: boolean, isCounted: boolean): void {
    const open =
      this.#open.get(sender * 2 + (isAnonymous ? 1 : 0)) ?? this.#add(sender, isAnonymous);
    if (isCounted) open.isCounted = true;
    this.#entryOf.push(open.entry);
  }

  #add(sender: number, isAnonymous: boolean): OpenEntry {
    const entry = this.#kinds.length;
    const kind = isAnonymous ? 'anonymous' : 'known';
    if (this.#first[kind] === null) this.#firsts += 1;
    this.#first[kind] ??= entry;
    for (const word of this.#key) this.#keys.push(word);
    this.#kinds.push(0);
    this.#firstOf.push(this.#first[kind]);
    const made = { entry, sender, isAnonymous, isCounted: false };
    this.#open.set(sender * 2 + (isAnonymous ? 1 : 0), made);
    return made;
  }

  #close(): void {
    for (const { entry, sender, isAnonymous, isCounted } of this.#open.values()) {
      this.#kinds.put(entry, sender * 4 + (isAnonymous ? 2 : 0) + (isCounted ? 1 : 0));
    }
    this.#open.clear();
    this.#first.known = null;
    this.#first.anonymous = null;
  }

  people(senders: KeptSenders): People | null {
    this.#close();
    this.#key = [];
    const bySender = senders === 'none' ? null : this.#bySender();
    const people = bySender && this.#fits(bySender, senders) ? bySender : this.#withoutSenders();
    return people.profiles.length > MAX_PROFILES ? null : people;
  }

  #fits({ profiles, profileOf }: People, senders: KeptSenders): boolean {
    if (profiles.length > MAX_PROFILES) return false;
    if (senders === 'all') return true;
    const width = profiles.length > FEW_PROFILES ? 2 : 1;
    const bytes = profileOf.length * (KEY_BYTES + width) + profiles.length * PROFILE_BYTES;
    const without = this.#firsts * (KEY_BYTES + 1);
    const rest = without + this.#entryOf.length * ROW_BYTES;
    return bytes - without <= rest / 5 + FREE_SENDER_BYTES;
  }

  #bySender(): People {
    const profiles = new Profiles();
    const profileOf = this.#kinds.values().map((kind) =>
      profiles.of(kind, () => {
        const sender = at(this.#senders, kind >> 2);
        const of = (kind & 1) === 1 ? [sender] : [];
        return { ...profileOfSenders((kind & 2) === 2, of), sender };
      }),
    );
    const [keys, entryOf] = [this.#keys.values(), this.#entryOf.values()];
    return { keys, entryOf, profileOf, profiles: profiles.all };
  }

  #withoutSenders(): People {
    const [kinds, firstOf, allKeys] = [this.#kinds, this.#firstOf, this.#keys];
    const placeOf = new Int32Array(kinds.length);
    const keys = new Uint32Array(this.#firsts * KEY_WORDS);
    const kindsOf: number[][] = Array.from({ length: this.#firsts }, () => []);
    let places = 0;
    for (let entry = 0; entry < kinds.length; entry += 1) {
      const first = firstOf.at(entry);
      if (first === entry) {
        for (let word = 0; word < KEY_WORDS; word += 1) {
          keys[places * KEY_WORDS + word] = allKeys.at(entry * KEY_WORDS + word);
        }
        placeOf[entry] = places;
        places += 1;
      } else placeOf[entry] = placeOf[first];
      kindsOf[placeOf[entry]].push(kinds.at(entry));
    }
    const profiles = new Profiles();
    const profileOf = Int32Array.from(kindsOf, (kinds) => {
      const counted = kinds.filter((kind) => (kind & 1) === 1).toSorted((a, b) => a - b);
      const isAnonymous = (at(kinds, 0) & 2) === 2;
      return profiles.of(`${isAnonymous} ${counted}`, () =>
        profileOfSenders(
          isAnonymous,
          counted.map((kind) => at(this.#senders, kind >> 2)),
        ),
      );
    });
    const entryOf = this.#entryOf.values().map((entry) => placeOf[entry]);
    return { keys, entryOf, profileOf, profiles: profiles.all };
  }
}

class Profiles {
  readonly all: Profile[] = [];
  readonly #numbers = new Map<number | string, number>();

  of(name: number | string, make: () => Profile): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const made = this.all.push(make()) - 1;
    this.#numbers.set(name, made);
    return made;
  }
}

function profileOfSenders(isAnonymous: boolean, counted: readonly Sender[]): Profile {
  return {
    isAnonymous,
    platforms: [...new Set(counted.map(({ platform }) => platform))],
    versions: [...new Set(counted.map(({ version }) => version))],
  };
}
