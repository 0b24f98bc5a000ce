import { checkConditions } from '../../query/selection/conditions.ts';
import type { Selection } from './model.ts';

/** Throws `invalid_input` with the place of a condition that says nothing. */
export function checkSelections(selections: readonly Selection[], place: string): void {
  for (const [index, { where }] of selections.entries()) {
    if (where) checkConditions(where, `${place}[${index}].where`);
  }
}

/** Of one event or any, without conditions: what projections and the catalogue know by name. */
export const isByName = ({ events, where }: Selection): boolean =>
  !where && (events === undefined || events.length === 1);

export const keyOf = ({ events }: Selection): string => events?.join(', ') ?? 'anything';
