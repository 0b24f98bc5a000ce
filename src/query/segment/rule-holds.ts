import { outside } from '../../shared/assert.ts';
import { hasKey, type MemberKeys } from '../reading/projection/members.ts';
import type { SegmentClause, SegmentRules } from '../selection/segment-rules.ts';
import { isDid } from './needs.ts';
import type { PeopleCounts } from './people-counts.ts';

export type Places = { from: number; before: number; keys: Uint32Array };

export class RuleHolds {
  readonly #rules: SegmentRules;
  readonly #counts: PeopleCounts;
  readonly #listed: ReadonlyMap<SegmentClause, MemberKeys>;

  constructor(
    rules: SegmentRules,
    counts: PeopleCounts,
    listed: ReadonlyMap<SegmentClause, MemberKeys>,
  ) {
    this.#rules = rules;
    this.#counts = counts;
    this.#listed = listed;
  }

  at(places: Places): Uint8Array {
    const held: Uint8Array[] = [];
    let clause = 0;
    for (const { match, clauses } of this.#rules) {
      const isAll = match === 'all';
      const found = new Uint8Array(places.before - places.from).fill(isAll ? 1 : 0);
      for (const one of clauses) {
        const holds = this.#clause(one, clause, held, places);
        if (isDid(one)) clause += 1;
        for (let place = 0; place < found.length; place += 1) {
          if (isAll) found[place] &= holds[place];
          else found[place] |= holds[place];
        }
      }
      held.push(found);
    }
    return held.at(-1) ?? outside('A segment has a rule.');
  }

  #clause(
    clause: SegmentClause,
    did: number,
    held: readonly Uint8Array[],
    { from, before, keys }: Places,
  ): Uint8Array {
    const found = new Uint8Array(before - from);
    const fill = (holds: (place: number) => boolean) => {
      for (let place = 0; place < found.length; place += 1) found[place] = holds(place) ? 1 : 0;
      return found;
    };
    switch (clause.kind) {
      case 'did': {
        const counts = this.#counts.counts[did].subarray(from, before);
        const { least, most } = clause;
        return fill((place) => counts[place] >= least && (most === null || counts[place] <= most));
      }
      case 'firstSeen': {
        const firstUs = this.#counts.firstUs.subarray(from, before);
        const { fromUs, beforeUs } = clause;
        const [least, most] = [fromUs ?? -Infinity, beforeUs ?? Infinity];
        return fill((place) => firstUs[place] >= least && firstUs[place] < most);
      }
      case 'listed': {
        const members = this.#listed.get(clause) ?? outside('Lists are made into keys.');
        return fill((place) => hasKey(members, keys, place) === clause.is);
      }
      case 'rule': {
        const other = held[clause.rule];
        return fill((place) => (other[place] === 1) === clause.is);
      }
      case 'arm':
      case 'first':
        return outside('Projections are not asked for arms and first events.');
    }
  }
}
