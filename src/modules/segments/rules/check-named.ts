import { type MemberCondition, membershipKey } from '../../../query/selection/conditions.ts';
import { must } from '../../../shared/assert.ts';
import { invalidInput } from '../../../shared/errors.ts';
import type { Segment, SegmentRule } from '../model.ts';
import { isOfPurchases, segmentsBehind, splitRule } from './clauses.ts';

export const MAX_SEGMENTS_OF_QUESTION = 6;

export type NamedMember = { place: string; condition: MemberCondition };

/** Past entitlements and arms are not stored. */
const isOfEvents = (rule: SegmentRule): boolean =>
  splitRule(rule).clauses.every((clause) => !isOfPurchases(clause) && !('experiment' in clause));

export function checkNamed(
  named: readonly NamedMember[],
  segments: readonly Segment[],
): (id: string) => SegmentRule {
  const rules = new Map(segments.map(({ id, rule }) => [id, rule]));
  const ruleOf = (id: string) => must(rules.get(id), 'a used segment cannot be deleted');
  const different = new Set<string>();
  for (const { place, condition } of named) {
    const { segment, asOf } = condition;
    const rule = rules.get(segment);
    if (!rule) throw invalidInput(`${place}.segment`, 'must be a segment of this app');
    const all = [rule, ...[...segmentsBehind(rule, rules)].map(ruleOf)];
    if (asOf === 'event' && !all.every(isOfEvents)) {
      const told = 'can be event where did, didNot and firstSeen alone decide';
      throw invalidInput(`${place}.asOf`, told);
    }
    if (different.add(membershipKey(condition)).size > MAX_SEGMENTS_OF_QUESTION) {
      const told = `is one of more than ${MAX_SEGMENTS_OF_QUESTION} segments`;
      throw invalidInput(`${place}.segment`, told);
    }
  }
  return ruleOf;
}
