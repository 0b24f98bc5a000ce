import type { SegmentClause, SegmentRule } from '../../../../clients/api/src/index.ts';
import { selectionWords } from '../../state/ask-words.ts';
import type { Word } from '../../state/conditions.ts';
import type { Experiment } from '../../state/experiments.ts';
import { segments as t } from '../../texts/segments.ts';

export type Clauses = { word: Word; clauses: readonly SegmentClause[] };
export type ClauseKind = keyof typeof t.kinds;
export const KINDS = ['did', 'didNot', 'firstSeen', 'arm', 'entitled', 'segment'] as const;

export type Did = Extract<SegmentClause, { did: unknown }>;
export type DidNot = Extract<SegmentClause, { didNot: unknown }>;
export type FirstSeen = Extract<SegmentClause, { firstSeen: unknown }>;
export type InArm = Extract<SegmentClause, { experiment: unknown }>;
export type Entitled = Extract<SegmentClause, { entitled: unknown }>;
export type InSegment = Extract<SegmentClause, { segment: unknown }>;

export type EntitledBy = Pick<Entitled, 'entitlement' | 'productId'>;

export const entitledBy = ({ entitlement, productId }: EntitledBy): string =>
  entitlement === undefined ? (productId ?? t.anyProduct) : t.byName(entitlement);

export type Known = {
  arms: readonly { experiment: string; arm: string; label: string }[];
  segments: readonly { id: string; name: string }[];
  /** Named entitlements, then products. */
  entitled: readonly EntitledBy[];
};

export const armsOf = (experiments: readonly Experiment[]): Known['arms'] =>
  experiments
    .filter(({ startedAt }) => startedAt !== null)
    .flatMap(({ id, name, arms }) =>
      arms.map((arm) => ({ experiment: id, arm: arm.id, label: `${name}: ${arm.id}` })),
    );

export function begun(kind: ClauseKind, known: Known): SegmentClause | undefined {
  switch (kind) {
    case 'did':
      return { did: {} };
    case 'didNot':
      return { didNot: {} };
    case 'firstSeen':
      return { firstSeen: { withinDays: 28 } };
    case 'arm': {
      const [first] = known.arms;
      return first && { experiment: first.experiment, arm: first.arm };
    }
    case 'entitled':
      return { entitled: true };
    case 'segment': {
      const [first] = known.segments;
      return first && { segment: first.id };
    }
  }
}

export const clausesOf = (rule: SegmentRule): Clauses =>
  'all' in rule ? { word: 'all', clauses: rule.all } : { word: 'any', clauses: rule.any };

export const ruleOf = ({ word, clauses }: Clauses): SegmentRule =>
  word === 'all' ? { all: [...clauses] } : { any: [...clauses] };

const periodWords = ({ withinDays, since }: { withinDays?: number; since?: string }): string => {
  if (withinDays !== undefined) return ` ${t.within(withinDays)}`;
  return since === undefined ? '' : ` ${t.periods.since} ${since}`;
};

function clauseWords(clause: SegmentClause, known: Known): string {
  if ('did' in clause) {
    const times = (['atLeast', 'atMost', 'exactly'] as const)
      .flatMap((kind) => {
        const count = clause[kind];
        return count === undefined ? [] : ` ${t.timesKinds[kind]} ${t.times(count)}`;
      })
      .join('');
    return `${t.kinds.did} ${selectionWords(clause.did)}${times}${periodWords(clause)}`;
  }
  if ('didNot' in clause) {
    return `${t.kinds.didNot} ${selectionWords(clause.didNot)}${periodWords(clause)}`;
  }
  if ('firstSeen' in clause) {
    const { withinDays, after, before } = clause.firstSeen;
    const said = [
      withinDays !== undefined && t.within(withinDays),
      after && `${t.seens.after} ${after}`,
      before && `${t.seens.before} ${before}`,
    ];
    return `${t.kinds.firstSeen} ${said.filter(Boolean).join(' ')}`;
  }
  if ('entitled' in clause) {
    const { entitled } = clause;
    return `${entitled ? t.is.yes : t.is.no} ${t.kinds.entitled} ${entitledBy(clause)}`;
  }
  const is = clause.is === false ? t.is.no : t.is.yes;
  if ('segment' in clause) {
    const name = known.segments.find(({ id }) => id === clause.segment)?.name ?? clause.segment;
    return `${is} ${t.kinds.segment} ${name}`;
  }
  return `${is} ${t.kinds.arm} ${clause.arm}`;
}

export function ruleWords(rule: SegmentRule, known: Known): string {
  const { word, clauses } = clausesOf(rule);
  return clauses.map((clause) => clauseWords(clause, known)).join(` ${t.joined[word]} `);
}
