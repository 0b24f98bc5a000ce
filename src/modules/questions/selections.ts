import { checkConditions } from '../../query/selection/conditions.ts';
import type { Selection } from './selection.model.ts';

export function checkSelections(selections: readonly Selection[], place: string): void {
  for (const [index, { where }] of selections.entries()) {
    if (where) checkConditions(where, `${place}[${index}].where`);
  }
}

/** As projections and the catalogue count. */
export const isByName = ({ events, where }: Selection): boolean =>
  !where && (events === undefined || events.length === 1);

export const selectionKey = ({ events }: Selection): string => events?.join(', ') ?? 'anything';
