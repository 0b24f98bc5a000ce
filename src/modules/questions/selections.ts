import { checkConditions } from '../../query/selection/conditions.ts';
import type { Selection } from './selection.model.ts';

export function checkSelection({ where }: Selection, place: string): void {
  if (where) checkConditions(where, `${place}.where`);
}

export function checkSelections(selections: readonly Selection[], place: string): void {
  for (const [index, one] of selections.entries()) checkSelection(one, `${place}[${index}]`);
}

export function selectedEvents(selection: Selection, place: string) {
  checkSelection(selection, place);
  const { events, where } = selection;
  return { names: events ?? null, filters: {}, ...(where && { where }) };
}

/** As projections and the catalogue count. */
export const isByName = ({ events, where }: Selection): boolean =>
  !where && (events === undefined || events.length === 1);

export const selectionKey = ({ events }: Selection): string => events?.join(', ') ?? 'anything';
