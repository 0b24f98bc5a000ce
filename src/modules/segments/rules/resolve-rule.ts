import type { SegmentClause, SegmentRules } from '../../../query/selection/segment-rules.ts';
import { must } from '../../../shared/assert.ts';
import { startOfDate } from '../../../shared/calendar.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { DidClause, RuleClause, SegmentRule } from '../model.ts';
import { entitledKey, isOfPurchases, segmentsIn, splitRule } from './clauses.ts';

const DAY_US = DAY_MS * 1_000;

export type Resolving = {
  nowUs: number;
  timezone: string;
  rules: ReadonlyMap<string, SegmentRule>;
  /** When each experiment started. */
  startsUs: ReadonlyMap<string, number>;
  /** By `entitledKey`. */
  entitled: ReadonlyMap<string, readonly string[]>;
};

type Period = { withinDays?: number; since?: string };

const dateUs = (date: string, { timezone }: Resolving): number =>
  startOfDate(date, timezone) * 1_000;

function fromUs({ withinDays, since }: Period, resolving: Resolving): number | null {
  if (withinDays !== undefined) return resolving.nowUs - withinDays * DAY_US;
  return since === undefined ? null : dateUs(since, resolving);
}

const withinUs = ({ withinDays }: Period) =>
  withinDays === undefined ? {} : { withinUs: withinDays * DAY_US };

function resolveTimes({ atLeast, atMost, exactly }: DidClause): {
  least: number;
  most: number | null;
} {
  if (exactly !== undefined) return { least: exactly, most: exactly };
  if (atMost !== undefined) return { least: 0, most: atMost };
  return { least: atLeast ?? 1, most: null };
}

function resolveClause(
  clause: RuleClause,
  resolving: Resolving,
  placeOf: (segmentId: string) => number,
): SegmentClause {
  if ('did' in clause || 'didNot' in clause) {
    const { events = null, where } = 'did' in clause ? clause.did : clause.didNot;
    const times = 'did' in clause ? resolveTimes(clause) : { least: 0, most: 0 };
    return {
      ...{ kind: 'did', names: events, ...(where && { where }), ...times },
      ...{ fromUs: fromUs(clause, resolving), ...withinUs(clause) },
      ...(clause.before !== undefined && { beforeUs: dateUs(clause.before, resolving) }),
    };
  }
  if ('firstSeen' in clause) {
    const { before, after, withinDays } = clause.firstSeen;
    const since = { ...(after !== undefined && { since: after }) };
    return {
      kind: 'firstSeen',
      fromUs: fromUs({ ...since, ...(withinDays !== undefined && { withinDays }) }, resolving),
      beforeUs: before === undefined ? null : dateUs(before, resolving),
      ...withinUs(clause.firstSeen),
    };
  }
  if ('experiment' in clause) {
    const { experiment, arm, is = true } = clause;
    const exposedFromUs = resolving.startsUs.get(experiment);
    // Nobody is in an arm of a deleted experiment.
    if (exposedFromUs === undefined) return { kind: 'listed', is, people: [] };
    return { kind: 'arm', is, experimentId: experiment, armId: arm, exposedFromUs };
  }
  if (isOfPurchases(clause)) {
    const people = must(resolving.entitled.get(entitledKey(clause)), 'it was asked for');
    const is = 'paying' in clause ? clause.paying : clause.entitled;
    return { kind: 'listed', is, people: [...people] };
  }
  return { kind: 'rule', is: clause.is ?? true, rule: placeOf(clause.segment) };
}

export function resolveRule(rule: SegmentRule, resolving: Resolving): SegmentRules {
  const resolved: SegmentRules = [];
  const places = new Map<string, number>();
  const add = (some: SegmentRule): number => {
    for (const id of segmentsIn(some)) {
      if (places.has(id)) continue;
      places.set(id, add(must(resolving.rules.get(id), 'a used segment cannot be deleted')));
    }
    const placeOf = (id: string) => must(places.get(id), 'it was added above');
    const { match, clauses } = splitRule(some);
    const each = clauses.map((clause) => resolveClause(clause, resolving, placeOf));
    return resolved.push({ match, clauses: each }) - 1;
  };
  add(rule);
  return resolved;
}
