import type { AppContext } from '../../../context.ts';
import { forecastFor, neverSentHint } from '../../events/index.ts';
import { toSelection } from '../resolve/parameters.model.ts';
import { resolve } from '../resolve/resolve.ts';
import { answerLifecycle, planLifecycle } from './answer.ts';
import type { LifecycleReport } from './answer.model.ts';
import type { LifecycleQuery, LifecycleQuestion } from './question.ts';

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
