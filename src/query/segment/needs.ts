import { ARM_COLUMNS } from '../funnel/plan.ts';
import { ORDER_COLUMNS } from '../reading/duckdb/first-event.ts';
import { whereSql } from '../selection/condition-sql.ts';
import type { SegmentClause, SegmentRules } from '../selection/segment-rules.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import type { SegmentQuestion } from './model.ts';

type Did = Extract<SegmentClause, { kind: 'did' }>;

export const allClauses = (rules: SegmentRules): SegmentClause[] =>
  rules.flatMap(({ clauses }) => clauses);

export const isDid = (clause: SegmentClause): clause is Did => clause.kind === 'did';

/** Whether somebody without any of the counted events may be in. */
export function admitsIdle(rules: SegmentRules): boolean {
  const admits: boolean[] = [];
  for (const { match, clauses } of rules) {
    const each = clauses.map((clause) => {
      if (clause.kind === 'did') return clause.least === 0;
      if (clause.kind === 'rule') return !clause.is || admits[clause.rule] !== false;
      return true;
    });
    admits.push(match === 'all' ? each.every(Boolean) : each.some(Boolean));
  }
  return admits.at(-1) !== false;
}

const earliest = (clauses: readonly SegmentClause[]): number | null => {
  const starts = clauses.flatMap((clause) => {
    if (clause.kind === 'did') return [clause.fromUs];
    return clause.kind === 'arm' ? [clause.exposedFromUs] : [];
  });
  return starts.reduce(
    (first, start) => (first === null || start === null ? null : Math.min(first, start)),
    Number.MAX_SAFE_INTEGER,
  );
};

type Asked = Pick<SegmentQuestion, 'appId' | 'beforeUs' | 'environment' | 'orgId' | 'rules'>;

export function segmentSelection(question: Asked): AppSelection {
  const { orgId, appId, environment, beforeUs, rules } = question;
  const clauses = allClauses(rules);
  const all = { orgId, appId, environment, beforeUs };
  const isAll = admitsIdle(rules) || clauses.some(({ kind }) => kind === 'firstSeen');
  if (isAll) return { ...all, ofClients: true };
  const names = clauses.filter(isDid).map(({ names }) => names);
  const isNamed = !names.includes(null) && !clauses.some(({ kind }) => kind === 'arm');
  const fromUs = earliest(clauses);
  return {
    ...all,
    ...named(isNamed ? [...new Set(names.flatMap((some) => some ?? []))] : null),
    ...(fromUs !== null && { fromUs }),
  };
}

export function segmentColumns({ rules }: Pick<Asked, 'rules'>): string[] {
  const clauses = allClauses(rules);
  const ofConditions = clauses.flatMap((clause) =>
    'where' in clause && clause.where ? whereSql(clause.where).columns : [],
  );
  const ofFirst = clauses.some(({ kind }) => kind === 'first') ? ORDER_COLUMNS : [];
  const ofArms = clauses.some(({ kind }) => kind === 'arm') ? ['props', ...ARM_COLUMNS] : [];
  return [...new Set(['name', 'occurred_at', ...ofConditions, ...ofFirst, ...ofArms])];
}
