import { at } from '../../shared/assert.ts';
import { brokenDown, type Shown } from '../reading/shown-values.ts';
import { givenValues, MISSING } from '../selection/dimension.ts';
import type { Cohorts, RetentionAnswer } from './model.ts';

/** Without a rest and missing numbers of nobody. */
export function retentionAnswer(
  all: RetentionAnswer,
  groups: readonly Cohorts[],
  shown: Shown,
): RetentionAnswer {
  const isNumbers = givenValues(shown.by) !== null;
  const isKept = (value: string | null) => value !== null && !(isNumbers && value === MISSING.prop);
  return {
    ...all,
    groups: [...shown.values, null]
      .map((value, place) => ({ value, ...at(groups, place) }))
      .filter(({ value, people }) => isKept(value) || people > 0),
    brokenDown: brokenDown(shown),
  };
}
