import { checkConditions, refuseMembers } from '../../../query/selection/conditions.ts';
import { invalidInput } from '../../../shared/errors.ts';
import type { OfPurchasesClause, SegmentRule } from '../model.ts';
import { isOfPurchases, type PlacedClause, placedClauses, segmentsBehind } from './clauses.ts';

const MAX_SEGMENTS_BEHIND = 12;

export type Known = {
  segments: ReadonlyMap<string, SegmentRule>;
  arms: ReadonlyMap<string, ReadonlySet<string>>;
  names: ReadonlySet<string>;
};

function onlyOne(place: string, clause: object, fields: readonly string[]): void {
  const [, second] = fields.filter((field) => field in clause);
  if (second !== undefined) {
    throw invalidInput(
      `${place}.${second}`,
      `is one of ${fields.join(', ')}, which exclude each other`,
    );
  }
}

function checkDays(
  place: string,
  from: string | undefined,
  before: string | undefined,
  word: string,
) {
  if (from !== undefined && before !== undefined && before <= from) {
    throw invalidInput(`${place}.before`, `must be after \`${word}\``);
  }
}

function checkEntitled(place: string, clause: OfPurchasesClause, { names }: Known): void {
  onlyOne(place, clause, ['productId', 'entitlement']);
  if (clause.entitlement === undefined || names.has(clause.entitlement)) return;
  throw invalidInput(`${place}.entitlement`, 'must be the name of an entitlement of this app');
}

function checkClause({ place, clause }: PlacedClause, known: Known): void {
  if ('did' in clause || 'didNot' in clause) {
    onlyOne(place, clause, ['atLeast', 'atMost', 'exactly']);
    for (const day of ['since', 'before']) onlyOne(place, clause, ['withinDays', day]);
    checkDays(place, clause.since, clause.before, 'since');
    const [word, { where }] =
      'did' in clause ? (['did', clause.did] as const) : (['didNot', clause.didNot] as const);
    if (where) {
      checkConditions(where, `${place}.${word}.where`);
      refuseMembers(where, `${place}.${word}.where`, 'is a clause of its own in a segment');
    }
  }
  if ('firstSeen' in clause) {
    const { before, after } = clause.firstSeen;
    onlyOne(`${place}.firstSeen`, clause.firstSeen, ['after', 'withinDays']);
    checkDays(`${place}.firstSeen`, after, before, 'after');
  }
  if ('experiment' in clause) {
    const arms = known.arms.get(clause.experiment);
    if (!arms) throw invalidInput(`${place}.experiment`, 'must be an experiment that has started');
    if (!arms.has(clause.arm)) throw invalidInput(`${place}.arm`, 'must be an arm of it');
  }
  if (isOfPurchases(clause)) checkEntitled(place, clause, known);
  if ('segment' in clause && !known.segments.has(clause.segment)) {
    throw invalidInput(`${place}.segment`, 'must be another segment of this app');
  }
}

export function checkRule(rule: SegmentRule, id: string | null, known: Known): void {
  for (const placed of placedClauses(rule)) {
    const { place, clause } = placed;
    checkClause(placed, known);
    if (id === null || !('segment' in clause)) continue;
    const behind = segmentsBehind({ all: [clause] }, known.segments);
    if (behind.has(id)) throw invalidInput(`${place}.segment`, 'would make a circle of segments');
  }
  if (segmentsBehind(rule, known.segments).size > MAX_SEGMENTS_BEHIND) {
    throw invalidInput('rule', `leads to more than ${MAX_SEGMENTS_BEHIND} other segments`);
  }
}
