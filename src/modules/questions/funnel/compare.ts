import type { AppContext } from '../../../context.ts';
import { DEFAULT_SCOPE } from '../../../shared/environment.ts';
import { coversMost, NOTHING_TO_COMPARE } from '../../events/index.ts';
import { ask } from '../resolve/resolved.ts';
import type { FunnelComparison } from './answer.model.ts';
import { compareWindows } from '../../../shared/statistics/compare-windows.ts';
import type { PlannedFunnel } from './plan.ts';
import { previousWindow } from './window.ts';

type CountedBefore = Pick<FunnelComparison, 'window'> & {
  people: readonly number[];
  isComparable: boolean;
};

export async function countBefore(
  ctx: AppContext<'queries' | 'sql'>,
  { rules, window }: PlannedFunnel,
  now: Date,
): Promise<CountedBefore> {
  const { fromMs, toMs, observedBeforeMs } = previousWindow(window, now.getTime());
  const { environment = DEFAULT_SCOPE } = rules;
  const asked = ask(ctx, 'funnel', {
    ...rules,
    fromUs: fromMs * 1_000,
    startBeforeUs: Math.min(toMs, observedBeforeMs) * 1_000,
    observedBeforeUs: observedBeforeMs * 1_000,
    breakdown: null,
    trendFromUs: null,
  });
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
