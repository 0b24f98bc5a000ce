import { at } from '../../shared/assert.ts';
import { brokenDown, isAlwaysShown, type Shown } from '../reading/shown-values.ts';
import type { Cohorts, RetentionAnswer } from './model.ts';

export function retentionAnswer(
  all: RetentionAnswer,
  groups: readonly Cohorts[],
  shown: Shown,
): RetentionAnswer {
  return {
    ...all,
    groups: [...shown.values, null]
      .map((value, place) => ({ value, ...at(groups, place) }))
      .filter(({ value, people }) => isAlwaysShown(shown, value) || people > 0),
    brokenDown: brokenDown(shown),
  };
}
