import type { AppContext } from '../../context.ts';
import type { SegmentQuestion } from '../../query/segment/model.ts';
import { MAX_LISTED_PEOPLE, type SegmentRules } from '../../query/selection/segment-rules.ts';
import { must, onlyRow } from '../../shared/assert.ts';
import { DEFAULT_SCOPE, type EnvironmentScope } from '../../shared/environment.ts';
import { AppError } from '../../shared/errors.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { daysBack } from '../events/index.ts';
import { selectExperiments } from '../experiments/index.ts';
import { type EntitledBy, entitledPeople } from '../purchases/index.ts';
import type { Segment, SegmentRule } from './model.ts';
import { selectSegments } from './queries.ts';
import { entitledKey, isOfPurchases, segmentsBehind, splitRule } from './rules/clauses.ts';
import { resolveRule } from './rules/resolve-rule.ts';

export type ResolveContext = Pick<
  AppContext<'clock' | 'purchaseProfiles' | 'sql'>,
  'deps' | 'scope'
>;

const entitledIn = (rules: readonly SegmentRule[]): Map<string, EntitledBy> =>
  new Map(
    rules.flatMap((rule) =>
      splitRule(rule).clauses.flatMap((clause) =>
        isOfPurchases(clause)
          ? [[entitledKey(clause), { ...clause, isPaying: 'paying' in clause }] as const]
          : [],
      ),
    ),
  );

async function entitledBy(
  { deps, scope }: ResolveContext,
  rules: readonly SegmentRule[],
): Promise<Map<string, string[]>> {
  const found = await entitledPeople(deps, scope, entitledIn(rules));
  for (const people of found.values()) {
    if (people.size <= MAX_LISTED_PEOPLE) continue;
    throw new AppError('conflict', 'Too many people are entitled for a segment by entitlement.', {
      hint: `At most ${MAX_LISTED_PEOPLE} are compared.`,
    });
  }
  return new Map([...found].map(([key, people]) => [key, [...people].toSorted()]));
}

export type ResolvedNow = {
  resolved: SegmentRules[];
  nowMs: number;
  beforeUs: number;
};

export async function resolveNow(
  ctx: ResolveContext,
  asked: (segments: readonly Segment[]) => readonly SegmentRule[],
): Promise<ResolvedNow> {
  const { deps, scope } = ctx;
  const [segments, experiments, timezone] = await Promise.all([
    selectSegments(deps.sql, scope),
    selectExperiments(deps.sql, scope),
    resolveTimezone(ctx, undefined),
  ]);
  const { toMs, beforeMs } = daysBack(deps.clock(), 0);
  const rules = new Map(segments.map((segment) => [segment.id, segment.rule]));
  const wanted = asked(segments);
  const ids = new Set(wanted.flatMap((rule) => [...segmentsBehind(rule, rules)]));
  const behind = [...ids].map((id) => must(rules.get(id), 'a used segment cannot be deleted'));
  const resolving = {
    nowUs: toMs * 1_000,
    timezone,
    rules,
    startsUs: new Map(
      experiments.flatMap(({ id, startedAt }) =>
        startedAt === null ? [] : [[id, Date.parse(startedAt) * 1_000] as const],
      ),
    ),
    entitled: await entitledBy(ctx, [...wanted, ...behind]),
  };
  return {
    resolved: wanted.map((rule) => resolveRule(rule, resolving)),
    nowMs: toMs,
    beforeUs: beforeMs * 1_000,
  };
}

export async function segmentQuestion(
  ctx: ResolveContext,
  rule: SegmentRule,
  environment: EnvironmentScope = DEFAULT_SCOPE,
): Promise<{ nowMs: number; question: Omit<SegmentQuestion, 'after' | 'limit'> }> {
  const { resolved, nowMs, beforeUs } = await resolveNow(ctx, () => [rule]);
  const rules = onlyRow(resolved);
  const question = { ...ctx.scope, environment, beforeUs, rules };
  return { nowMs, question };
}
