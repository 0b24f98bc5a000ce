import { allSql } from './condition-sql.ts';
import { conditionsOfEvents, type EventSelection } from './selection.ts';

/** Columns that tell events of a selection from others that are read with them. */
export const selectedColumns = (selection: Pick<EventSelection, 'filters' | 'where'>): string[] => [
  'name',
  ...allSql(conditionsOfEvents(selection)).columns,
];
