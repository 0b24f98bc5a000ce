import type { FunnelQuestion } from '../../src/query/funnel/model.ts';
import { BENCH_DAYS, BENCH_ORG } from '../support/event-files.ts';

const DAY_US = 86_400_000_000;
export const WINDOW_US = 14 * DAY_US;
export const STEP_NAMES = ['step_1', 'step_2', 'step_3', 'step_4', 'step_5'];

/** Five steps, one of them with a property, and fourteen days to convert. */
export function benchQuestion(appId: string, startMs: number): FunnelQuestion {
  return {
    orgId: BENCH_ORG,
    appId,
    steps: STEP_NAMES.map((event) => ({
      event,
      ...(event === 'step_3' && { where: { prop: 'plan', equals: 'yearly' } }),
    })),
    fromUs: startMs * 1_000,
    startBeforeUs: startMs * 1_000 + (BENCH_DAYS + 1) * DAY_US,
    windowUs: WINDOW_US,
    filters: {},
    breakdown: null,
    trendFromUs: null,
  };
}
