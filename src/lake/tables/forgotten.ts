import type { TableDefinition } from '../format/types.ts';
import { wholeTable } from './own-table.ts';
import * as rows from './rows-queries.ts';

const ERASURES: TableDefinition = {
  name: 'erasures',
  doc: 'Ids of erased people whose rows event files may still hold',
  fields: [
    { id: 1, name: 'app_id', type: 'string' },
    { id: 2, name: 'id', type: 'string' },
  ],
  specs: [{ id: 0, fields: [] }],
  sortedBy: [1, 2],
};

const DELETED_APPS: TableDefinition = {
  name: 'deleted_apps',
  doc: 'Deleted apps, of which files of many apps may still hold rows',
  fields: [
    { id: 1, name: 'app_id', type: 'string' },
    { id: 2, name: 'deleted_at', type: 'timestamptz' },
  ],
  specs: [{ id: 0, fields: [] }],
  sortedBy: [1],
};

export const erasures = wholeTable(ERASURES, rows.stateOfErasures, rows.pendingErasures);
export const deletedAppsTable = wholeTable(DELETED_APPS, rows.stateOfDeletedApps, rows.deletedApps);
