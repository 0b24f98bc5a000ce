import type {
  AnsweredStep,
  FunnelAnswer,
  FunnelReport,
} from '../../../../clients/api/src/index.ts';
import { eachOf, FILTER_FIELDS } from '../../../shared/event-fields.ts';
import { compareWindows } from '../../../shared/statistics/compare-windows.ts';
import { type FunnelAsk, fieldOf } from '../../state/ask.ts';

export type Report = FunnelReport & Pick<FunnelAnswer, 'distribution'>;

/** Withheld under fifty people, where nothing is compared either. */
const countsOf = ({ people, steps }: FunnelAnswer): number[] =>
  steps.map((step, at) => (at === 0 ? people : (step.people ?? 0)));

/** In the shape of a funnel with a name, so that both are drawn alike. */
export function reportOf(
  appId: string,
  ask: FunnelAsk,
  of: { answer: FunnelAnswer; before: FunnelAnswer | undefined; labels: readonly string[] },
): Report {
  const { answer, before, labels } = of;
  const { breakdown, kind: _, segments: __, bounds: ___, ...figures } = answer;
  const steps = (answered: readonly AnsweredStep[]) =>
    answered.map((step, at) => ({
      ...step,
      index: at + 1,
      event: ask.steps[at]?.events?.[0] ?? '',
      label: labels[at] ?? '',
      where: null,
    }));
  return {
    ...figures,
    ...{ appId, funnelId: '', name: '', steps: steps(answer.steps) },
    filters: {
      ...eachOf(FILTER_FIELDS, () => null),
      ...(ask.people === 'new' && { people: 'new' }),
    },
    breakdown: breakdown && {
      by: ask.breakdown === undefined ? '' : fieldOf(ask.breakdown),
      values: breakdown.map(({ value, ...group }) => ({
        ...group,
        ...(value === null ? { value: 'other', rest: true as const } : { value }),
        steps: steps(group.steps),
      })),
    },
    ...(before && {
      comparison: { window: before.window, ...compareWindows(countsOf(answer), countsOf(before)) },
    }),
  };
}
