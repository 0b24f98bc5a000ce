import type { Tx } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { OwnTable } from './own-table.ts';
import {
  deletedApps,
  pendingErasures,
  stateOfDeletedApps,
  stateOfErasures,
} from './rows-queries.ts';
import type { TextRow } from './write.ts';

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

const whole = (
  table: TableDefinition,
  state: (tx: Tx) => Promise<string>,
  rows: (tx: Tx) => AsyncIterable<readonly TextRow[]>,
): OwnTable => ({
  table,
  refresh: async (tx, published) => {
    const source = await state(tx);
    return published?.source === source ? null : { source, rows: rows(tx), replaces: true };
  },
});

export const erasures = whole(ERASURES, stateOfErasures, pendingErasures);
export const deletedAppsTable = whole(DELETED_APPS, stateOfDeletedApps, deletedApps);
