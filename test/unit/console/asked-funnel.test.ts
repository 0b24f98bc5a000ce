import { expect, test } from 'bun:test';
import type { FunnelAnswer } from '../../../clients/api/src/index.ts';
import { reportOf } from '../../../src/console/pages/funnels/asked-report.ts';
import { compareWindows } from '../../../src/shared/statistics/compare-windows.ts';

const answerOf = (counts: readonly number[]) =>
  ({
    ...{ kind: 'funnel', people: counts[0], verdict: 'ready', breakdown: null, segments: null },
    window: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-08T00:00:00.000Z' },
    steps: counts.map((people) => ({ people })),
  }) as unknown as FunnelAnswer;

test('a funnel without a name is compared as one with a name is', () => {
  const [now, before] = [
    [120, 40, 10],
    [100, 60, 30],
  ];
  const ask = { kind: 'funnel' as const, steps: [{}, {}, {}] };
  const answers = { answer: answerOf(now!), before: answerOf(before!) };
  const { comparison } = reportOf('app', ask, { ...answers, labels: [] });
  expect(comparison).toMatchObject(compareWindows(now!, before!));
  // Too few came as far as step 2: both rates, and no difference of them.
  expect(comparison?.steps[2]?.fromPrevious).toEqual({
    ...{ now: 0.25, before: 0.5, difference: null, low: null, high: null },
  });
});
