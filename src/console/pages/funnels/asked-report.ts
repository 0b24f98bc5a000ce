import type {
  AnsweredStep,
  FunnelAnswer,
  FunnelReport,
} from '../../../../clients/api/src/index.ts';
import { wilson } from '../../parts/wilson.ts';
import { type FunnelAsk, fieldOf } from '../../state/ask.ts';

type Comparison = NonNullable<FunnelReport['comparison']>;
export type Report = FunnelReport & Pick<FunnelAnswer, 'distribution'>;
type Share = { part: number | null; whole: number | null };

/** Newcombe's interval of two Wilson's. */
function difference(now: Share, before: Share, minimum: number) {
  const isKnown = [now, before].every(
    ({ part, whole }) => part !== null && (whole ?? 0) >= minimum,
  );
  const [one, other] = [now, before].map(({ part, whole }) => ({
    share: (part ?? 0) / (whole || 1),
    ...wilson(part ?? 0, whole || 1),
  }));
  if (!isKnown || !one || !other) {
    return { now: null, before: null, difference: null, low: null, high: null };
  }
  const apart = one.share - other.share;
  return {
    ...{ now: one.share, before: other.share, difference: apart },
    low: apart - Math.hypot(one.share - one.low, other.high - other.share),
    high: apart + Math.hypot(one.high - one.share, other.share - other.low),
  };
}

function comparisonOf(answer: FunnelAnswer, before: FunnelAnswer): Comparison {
  const { people, verdict, window } = before;
  return {
    ...{ window, people, verdict },
    steps: answer.steps.map((step, at) => {
      const own = before.steps[at]?.people ?? null;
      const share = (whole: (steps: AnsweredStep[]) => number | null | undefined) =>
        difference(
          { part: step.people, whole: whole(answer.steps) ?? null },
          { part: own, whole: whole(before.steps) ?? null },
          answer.minimumPeople,
        );
      return {
        ...{ index: at + 1, people: own },
        fromPrevious: at === 0 ? null : share((steps) => steps[at - 1]?.people),
        fromStart: at === 0 ? null : share((steps) => steps[0]?.people),
      };
    }),
  };
}

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
      ...{ platform: null, appVersion: null, country: null },
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
    ...(before && { comparison: comparisonOf(answer, before) }),
  };
}
