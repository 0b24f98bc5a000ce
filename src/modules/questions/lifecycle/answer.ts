import type { AppContext } from '../../../context.ts';
import type {
  LifecycleAnswer,
  LifecycleQuestion as Asked,
} from '../../../query/lifecycle/model.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { at } from '../../../shared/assert.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { judge } from '../../../shared/statistics/verdict.ts';
import { type Beginning, forecastFor, neverSentHint } from '../../events/index.ts';
import { nameGroups, toDimensions } from '../resolve/breakdown.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import { ask, ofSelection, type Resolved } from '../resolve/resolved.ts';
import { type Buckets, boundaryIso, resolveBuckets, toMicros } from '../resolve/window.ts';
import type { LifecycleQuestionAnswer, LifecycleReport } from './answer.model.ts';
import type { LifecycleQuestion, LifecycleQuery } from './question.ts';

export const toLifecycle = (query: LifecycleQuery): LifecycleQuestion => ({
  ...query,
  kind: 'lifecycle',
  selection: toSelection(query).selection,
});

export async function readLifecycle(
  ctx: AppContext<'clock' | 'latestExperiment' | 'log' | 'queries' | 'sql'>,
  query: LifecycleQuery,
): Promise<LifecycleReport> {
  const resolved = await resolve(ctx, toLifecycle(query));
  const planned = planLifecycle(ctx, resolved);
  const { kind: _, breakdown: _of, ...report } = await answerLifecycle(ctx, resolved, planned);
  const { people, environment } = report;
  const { name: event = null } = query;
  const { property } = toSelection(query).filters;
  const notFound = event === null && !property ? [] : [{ event, ...property }];
  const forecast = await forecastFor(ctx, { ...planned.beginning, people });
  return {
    ...{ ...report, ...(forecast && { forecast }) },
    ...(people === 0 && (await neverSentHint(ctx, notFound, environment))),
  };
}

export type PlannedLifecycle = {
  buckets: Buckets;
  question: Asked;
  beginning: Beginning & { nowMs: number };
};

export function planLifecycle(
  ctx: AppContext<never>,
  resolved: Resolved<LifecycleQuestion>,
): PlannedLifecycle {
  const { environment, now } = resolved;
  const { selection = {} } = resolved.question;
  const buckets = resolveBuckets(resolved, { lookback: 1 });
  const { boundariesMs } = buckets;
  const [fromMs, toMs] = [at(boundariesMs, 0), at(boundariesMs, boundariesMs.length - 1)];
  return {
    buckets,
    question: {
      ...ofSelection(ctx, resolved, selection),
      boundariesUs: toMicros(boundariesMs),
    },
    beginning: { selection, environment, fromMs, toMs, nowMs: now.getTime() },
  };
}

/** Nobody is dormant in an unfinished interval. */
function toPoints(
  { intervals }: Pick<LifecycleAnswer, 'intervals'>,
  buckets: Buckets,
): LifecycleReport['points'] {
  return intervals.map((people, index) => {
    const isOver = index < buckets.finished;
    return {
      from: boundaryIso(buckets, buckets.first + index),
      active: people.new + people.returning + people.resurrected,
      ...people,
      dormant: isOver ? people.dormant : null,
      ...(!isOver && { partial: true as const }),
    };
  });
}

export async function answerLifecycle(
  ctx: AppContext<'queries'>,
  resolved: Resolved<LifecycleQuestion>,
  { buckets, question }: PlannedLifecycle = planLifecycle(ctx, resolved),
): Promise<LifecycleQuestionAnswer> {
  const { timezone, environment, now } = resolved;
  const { interval = 'day' } = resolved.question;
  const [by] = toDimensions(resolved);
  const answer = await ask(ctx, 'lifecycle', { ...question, ...(by && { breakdown: by.by }) });
  const { groups, brokenDown } = answer;
  const figuresOf = (counted: Pick<LifecycleAnswer, 'intervals' | 'people'>) => ({
    people: counted.people,
    verdict: judge(counted.people),
    points: toPoints(counted, buckets),
  });
  const named = groups?.map(({ value, ...counted }) => ({ value, ...figuresOf(counted) }));
  const { people, ...figures } = figuresOf(answer);
  return {
    kind: 'lifecycle',
    window: {
      from: boundaryIso(buckets, buckets.first),
      to: boundaryIso(buckets, buckets.boundariesMs.length - 1),
    },
    ...{ interval, timezone, environment, people },
    minimumPeople: MINIMUM_PEOPLE,
    ...figures,
    computedAt: now.toISOString(),
    ...provenanceOf(answer),
    ...(named && { breakdown: nameGroups(named, by) }),
    ...(brokenDown?.bounds && { bounds: brokenDown.bounds }),
  };
}
