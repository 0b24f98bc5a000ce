import { allSql } from './condition-sql.ts';
import { conditionsOfEvents, type EventSelection } from './selection.ts';

export const selectedColumns = (selection: Pick<EventSelection, 'filters' | 'where'>): string[] => [
  'name',
  ...allSql(conditionsOfEvents(selection)).columns,
];
