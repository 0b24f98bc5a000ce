import type { Measure } from './model.ts';

export const quantileShare = (measure: Measure): number | null => {
  if (measure.of === 'sessionLength') return 0.5;
  if (measure.of !== 'property') return null;
  return measure.statistic === 'median' ? 0.5 : measure.statistic === 'p90' ? 0.9 : null;
};

/** `value`: a quantile, minimum or maximum. */
export type Group = { people: number; count: number; value: number | null; sum: number };

export function measuredValue(
  measure: Measure,
  { people, count, value, sum }: Group,
): number | null {
  switch (measure.of) {
    case 'people':
      return people;
    case 'events':
    case 'sessions':
      return count;
    case 'eventsPerPerson':
    case 'sessionsPerPerson':
      return people === 0 ? null : count / people;
    case 'sessionLength':
      return value;
    case 'property':
      if (measure.statistic === 'sum') return count === 0 ? null : sum;
      return measure.statistic === 'mean' && count > 0 ? sum / count : value;
  }
}
