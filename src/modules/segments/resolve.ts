import type { AppContext } from '../../context.ts';
import {
  MAX_LISTED_PEOPLE,
  type SegmentQuestion,
  type SegmentRules,
} from '../../query/segment/model.ts';
import { must } from '../../shared/assert.ts';
import { DEFAULT_SCOPE, type EnvironmentScope } from '../../shared/environment.ts';
import { AppError } from '../../shared/errors.ts';
import { timezoneOf } from '../app-settings/index.ts';
import { daysBack } from '../events/index.ts';
import { selectExperiments } from '../experiments/index.ts';
import { entitledPeople } from '../purchases/index.ts';
import type { SegmentRule } from './model.ts';
import { selectSegments } from './queries.ts';
import { matchOf, segmentsBehind } from './rules/clauses.ts';
import { resolveRule } from './rules/resolve-rule.ts';

export type ResolveContext = AppContext<'clock' | 'purchaseProfiles' | 'sql'>;

const productsOf = (rules: readonly SegmentRule[]): (string | null)[] => [
  ...new Set(
    rules.flatMap((rule) =>
      matchOf(rule).clauses.flatMap((clause) =>
        'entitled' in clause ? [clause.productId ?? null] : [],
      ),
    ),
  ),
];

async function entitledBy(
  { deps, orgId, app }: ResolveContext,
  rules: readonly SegmentRule[],
): Promise<Map<string | null, string[]>> {
  const found = await entitledPeople(deps, { orgId, appId: app.id }, productsOf(rules));
  for (const people of found.values()) {
    if (people.size <= MAX_LISTED_PEOPLE) continue;
    throw new AppError('conflict', 'Too many people are entitled for a segment by entitlement.', {
      hint: `At most ${MAX_LISTED_PEOPLE} are compared.`,
    });
  }
  return new Map([...found].map(([productId, people]) => [productId, [...people].toSorted()]));
}

/** What the rule means now: times, people who are entitled, experiments, other segments. */
export async function resolveNow(
  ctx: ResolveContext,
  rule: SegmentRule,
): Promise<{ rules: SegmentRules; nowMs: number; beforeUs: number }> {
  const { deps, orgId, app } = ctx;
  const scope = { orgId, appId: app.id };
  const [segments, experiments, timezone] = await Promise.all([
    selectSegments(deps.sql, scope),
    selectExperiments(deps.sql, scope),
    timezoneOf(ctx, undefined),
  ]);
  const { toMs, beforeMs } = daysBack(deps.clock(), 0);
  const rules = new Map(segments.map((segment) => [segment.id, segment.rule]));
  const behind = [...segmentsBehind(rule, rules)].map((id) =>
    must(rules.get(id), 'a used segment cannot be deleted'),
  );
  const resolving = {
    nowUs: toMs * 1_000,
    timezone,
    rules,
    startsUs: new Map(
      experiments.flatMap(({ id, startedAt }) =>
        startedAt === null ? [] : [[id, Date.parse(startedAt) * 1_000] as const],
      ),
    ),
    entitled: await entitledBy(ctx, [rule, ...behind]),
  };
  return { rules: resolveRule(rule, resolving), nowMs: toMs, beforeUs: beforeMs * 1_000 };
}

export async function segmentQuestion(
  ctx: ResolveContext,
  rule: SegmentRule,
  environment: EnvironmentScope = DEFAULT_SCOPE,
): Promise<{ nowMs: number; question: Omit<SegmentQuestion, 'after' | 'limit'> }> {
  const { rules, nowMs, beforeUs } = await resolveNow(ctx, rule);
  const question = { orgId: ctx.orgId, appId: ctx.app.id, environment, beforeUs, rules };
  return { nowMs, question };
}
