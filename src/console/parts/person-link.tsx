import { visible } from '../visible.ts';
import type { Column } from './table.tsx';

/** Browsers resolve `..` in a path. */
export const personPath = (appId: string, id: string, by?: string): string =>
  `/apps/${appId}/people/by-id?${new URLSearchParams({ id, ...(by && { by }) })}`;

export function PersonLink({ appId, personId }: { appId: string; personId: string }) {
  return <a href={personPath(appId, personId)}>{visible(personId)}</a>;
}

export const personColumn = <T,>(label: string, idOf: (row: T) => string): Column<T> => ({
  label,
  show: (row) => visible(idOf(row)),
  plain: idOf,
});
