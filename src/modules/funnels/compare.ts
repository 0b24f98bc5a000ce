import type { AppContext } from '../../context.ts';
import type { GroupTally } from '../../query/funnel/model.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { coversMost, NOTHING_TO_COMPARE } from '../events/index.ts';
import type { Question } from './question.ts';
import { compareWindows } from './rules/comparison.ts';
import type { FunnelComparison } from './rules/report.model.ts';
import { previousWindow } from './window.ts';

export async function compareWithBefore(
  ctx: AppContext<'queries' | 'sql'>,
  { rules, window, computedAt }: Question,
  now: GroupTally,
): Promise<FunnelComparison> {
  const { fromMs, toMs, observedBeforeMs } = previousWindow(window, computedAt.getTime());
  const environment = rules.environment ?? DEFAULT_SCOPE;
  const isComparable = await coversMost(ctx, { fromMs, toMs, environment });
  const { total } = await ctx.deps.queries.ask(
    'funnel',
    {
      ...rules,
      fromUs: fromMs * 1_000,
      startBeforeUs: Math.min(toMs, observedBeforeMs) * 1_000,
      observedBeforeUs: observedBeforeMs * 1_000,
      breakdown: null,
      trendFromUs: null,
    },
    { signal: ctx.signal },
  );
  return {
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    ...compareWindows(now.people, total.people, isComparable),
    ...(!isComparable && { notice: NOTHING_TO_COMPARE }),
  };
}
