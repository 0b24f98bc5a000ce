import type {
  EventSelection,
  SegmentClause,
  SegmentRule,
} from '../../../../clients/api/src/index.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { quoted } from '../../state/condition-words.ts';
import type { Word } from '../../state/conditions.ts';
import type { Experiment } from '../../state/experiments.ts';
import { segments as t } from '../../texts/segments.ts';

export type Clauses = { word: Word; clauses: readonly SegmentClause[] };
export type ClauseKind = keyof typeof t.kinds;
export const KINDS = [
  ...(['did', 'didNot', 'firstSeen', 'arm'] as const),
  ...(['paying', 'entitled', 'segment'] as const),
] as const;

export type Did = Extract<SegmentClause, { did: unknown }>;
export type DidNot = Extract<SegmentClause, { didNot: unknown }>;
export type FirstSeen = Extract<SegmentClause, { firstSeen: unknown }>;
export type InArm = Extract<SegmentClause, { experiment: unknown }>;
export type OfPurchases = Extract<SegmentClause, { entitled: unknown } | { paying: unknown }>;
export type InSegment = Extract<SegmentClause, { segment: unknown }>;

export const isOfPurchases = (clause: SegmentClause): clause is OfPurchases =>
  'entitled' in clause || 'paying' in clause;

export type EntitledBy = Pick<OfPurchases, 'entitlement' | 'productId'>;

export const entitledBy = ({ entitlement, productId }: EntitledBy): string =>
  entitlement === undefined ? (productId ?? t.anyProduct) : t.byName(entitlement);

export type Known = {
  arms: readonly { experiment: string; arm: string; label: string }[];
  segments: readonly { id: string; name: string }[];
  entitled: readonly EntitledBy[];
  today: string;
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
    case 'paying':
      return { paying: true };
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

type Period = { withinDays?: number; since?: string; before?: string };

const periodWords = ({ withinDays, since, before }: Period): string =>
  [
    withinDays !== undefined && t.within(withinDays),
    since && `${t.periods.since} ${since}`,
    before && `${t.periods.before} ${before}`,
  ]
    .filter(Boolean)
    .join(', ');

function clauseWords(clause: SegmentClause, known: Known): string {
  if ('did' in clause) {
    const times = (['atLeast', 'atMost', 'exactly'] as const).flatMap((kind) => {
      const count = clause[kind];
      return count === undefined ? [] : `${t.timesKinds[kind]} ${t.times(count)}`;
    });
    return [t.kinds.did, apart(clause.did), ...times, periodWords(clause)].join(' ').trim();
  }
  if ('didNot' in clause) {
    return [t.kinds.didNot, apart(clause.didNot), periodWords(clause)].join(' ').trim();
  }
  if ('firstSeen' in clause) {
    const { after, ...others } = clause.firstSeen;
    const said = [after && `${t.seens.after} ${after}`, periodWords(others)];
    return `${t.kinds.firstSeen} ${said.filter(Boolean).join(', ')}`;
  }
  if (isOfPurchases(clause)) {
    const [kind, is] =
      'paying' in clause ? [t.kinds.paying, clause.paying] : [t.kinds.entitled, clause.entitled];
    return `${is ? t.is.yes : t.is.no} ${kind} ${entitledBy(clause)}`;
  }
  const is = clause.is === false ? t.is.no : t.is.yes;
  if ('segment' in clause) {
    const name = known.segments.find(({ id }) => id === clause.segment)?.name ?? clause.segment;
    return `${is} ${t.kinds.segment} ${quoted(name)}`;
  }
  return `${is} ${t.kinds.arm} ${clause.arm}`;
}

function apart(selection: EventSelection): string {
  const words = selectionWords(selection);
  return (selection.events ?? []).length > 1 || selection.where ? `(${words})` : words;
}

export function ruleWords(rule: SegmentRule, known: Known): string {
  const { word, clauses } = clausesOf(rule);
  return clauses.map((clause) => clauseWords(clause, known)).join(` ${t.joined[word]} `);
}
