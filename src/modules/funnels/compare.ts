import type { AppContext } from '../../context.ts';
import { DEFAULT_SCOPE } from '../../shared/environment.ts';
import { coversMost, NOTHING_TO_COMPARE } from '../events/index.ts';
import type { Question } from './question.ts';
import { compareWindows } from './rules/comparison.ts';
import type { FunnelComparison } from './rules/report.model.ts';
import { previousWindow } from './window.ts';

export type CountedBefore = Pick<FunnelComparison, 'window'> & {
  people: readonly number[];
  isComparable: boolean;
};

export async function countBefore(
  ctx: AppContext<'queries' | 'sql'>,
  { rules, window, computedAt }: Question,
): Promise<CountedBefore> {
  const { fromMs, toMs, observedBeforeMs } = previousWindow(window, computedAt.getTime());
  const environment = rules.environment ?? DEFAULT_SCOPE;
  const asked = ctx.deps.queries.ask(
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
  const [{ total }, isComparable] = await Promise.all([
    asked,
    coversMost(ctx, { fromMs, toMs, environment }),
  ]);
  return {
    window: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    people: total.people,
    isComparable,
  };
}

export const toComparison = (
  now: readonly number[],
  { window, people, isComparable }: CountedBefore,
): FunnelComparison => ({
  window,
  ...compareWindows(now, people, isComparable),
  ...(!isComparable && { notice: NOTHING_TO_COMPARE }),
});
