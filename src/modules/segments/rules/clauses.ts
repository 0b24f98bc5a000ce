import type { OfPurchasesClause, RuleClause, SegmentRule } from '../model.ts';

export type PlacedClause = { place: string; clause: RuleClause };

export const splitRule = (rule: SegmentRule): { match: 'all' | 'any'; clauses: RuleClause[] } =>
  'all' in rule ? { match: 'all', clauses: rule.all } : { match: 'any', clauses: rule.any };

export const isOfPurchases = (clause: RuleClause): clause is OfPurchasesClause =>
  'entitled' in clause || 'paying' in clause;

export const entitledKey = (
  by: Pick<OfPurchasesClause, 'entitlement' | 'productId'> & { paying?: boolean },
): string => `${by.paying !== undefined} ${by.entitlement ?? ''} ${by.productId ?? ''}`;

export function placedClauses(rule: SegmentRule): PlacedClause[] {
  const { match, clauses } = splitRule(rule);
  return clauses.map((clause, index) => ({ place: `rule.${match}[${index}]`, clause }));
}

export function segmentsIn(rule: SegmentRule): string[] {
  const named = splitRule(rule).clauses.flatMap((clause) =>
    'segment' in clause ? [clause.segment] : [],
  );
  return [...new Set(named)];
}

export function segmentsBehind(
  rule: SegmentRule,
  rules: ReadonlyMap<string, SegmentRule>,
): Set<string> {
  const found = new Set(segmentsIn(rule));
  for (const id of found) {
    const next = rules.get(id);
    for (const further of next ? segmentsIn(next) : []) found.add(further);
  }
  return found;
}
