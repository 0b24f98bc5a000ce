import { copyKey, KEY_WORDS } from '../../event-store/projections.ts';
import { keyWords } from '../../event-store/read.ts';
import { at } from '../../shared/assert.ts';
import { type MemberKeys, memberKeys } from '../reading/projection/members.ts';
import { PeopleByRange, type Slice } from '../reading/projection/people.ts';
import type { Share } from '../reading/projection/share.ts';
import type { SegmentClause, SegmentRules } from '../selection/segment-rules.ts';
import type { CountedOfPeople } from './counted.ts';
import { allClauses } from './needs.ts';
import { PeopleCounts } from './people-counts.ts';
import { PeopleReader } from './people-reader.ts';
import { RuleHolds } from './rule-holds.ts';
import type { Tally } from './tally.ts';

/** Keys one after the other, in memory that doubles when it is full. */
class KeyList {
  #words = new Uint32Array(1_024 * KEY_WORDS);
  #length = 0;

  push(keys: Uint32Array, entry: number): void {
    if (this.#length === this.#words.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#words);
      this.#words = larger;
    }
    copyKey(keys, entry, this.#words, this.#length / KEY_WORDS);
    this.#length += KEY_WORDS;
  }

  words(): Uint32Array {
    return this.#words.slice(0, this.#length);
  }
}

export function toKeys(ids: readonly string[]): Uint32Array {
  const words = new Uint32Array(ids.length * KEY_WORDS);
  for (const [place, id] of ids.entries()) words.set(keyWords(id), place * KEY_WORDS);
  return words;
}

function listedIn(rules: SegmentRules): Map<SegmentClause, MemberKeys> {
  const found = new Map<SegmentClause, MemberKeys>();
  for (const clause of allClauses(rules)) {
    if (clause.kind !== 'listed') continue;
    found.set(clause, memberKeys(toKeys(clause.people), new Uint32Array()));
  }
  return found;
}

export class MembersFinder {
  readonly people: PeopleByRange;
  readonly #share: Share;
  readonly #tallies: readonly Tally[];
  readonly #counts: PeopleCounts;
  readonly #reader: PeopleReader;
  readonly #rule: RuleHolds;
  readonly #found = new KeyList();

  constructor(
    share: Share,
    tallies: readonly Tally[],
    { rules, counted }: { rules: SegmentRules; counted: CountedOfPeople },
  ) {
    const { parts, environment, ranges } = share;
    const { count: stitched } = ranges.stitched;
    this.#share = share;
    this.#tallies = tallies;
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    this.#counts = new PeopleCounts(counted.did.length, stitched);
    const { people } = this;
    this.#reader = new PeopleReader(
      {
        environment,
        parts: parts.slice(tallies.length),
        slices: people.slices.slice(tallies.length),
      },
      counted,
      this.#counts,
      (slice, entry) => this.#placeOf(slice, entry),
    );
    this.#rule = new RuleHolds(rules, this.#counts, listedIn(rules));
  }

  /** People with late aliases first, who are complete at the end. */
  #placeOf(slice: Slice, entry: number): number {
    const person = this.people.personOf(slice, entry);
    return person < 0 ? -1 - person : this.people.stitched + person;
  }

  findRange(): void {
    this.#counts.clear(this.people.capacity);
    for (const [index, tally] of this.#tallies.entries()) {
      this.#add(tally, at(this.people.slices, index));
    }
    this.#reader.readRange();
    const { stitched, people, keys } = this.people;
    const holds = this.#rule.at({ from: stitched, before: stitched + people, keys });
    for (let person = 0; person < people; person += 1) {
      if (holds[person] === 1) this.#found.push(keys, person);
    }
  }

  #add({ counts, firstUs }: Tally, slice: Slice): void {
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      const place = this.#placeOf(slice, entry);
      this.#counts.see(place, firstUs ? firstUs[entry] : Infinity);
      for (let clause = 0; clause < counts.length; clause += 1) {
        this.#counts.add(place, clause, counts[clause][entry]);
      }
    }
  }

  members(): Uint32Array {
    const { count, keys } = this.#share.ranges.stitched;
    const holds = this.#rule.at({ from: 0, before: count, keys });
    for (let person = 0; person < count; person += 1) {
      if (holds[person] === 1 && this.#counts.isKnown[person] === 1) this.#found.push(keys, person);
    }
    return this.#found.words();
  }
}
