import { entitlementRows, stateOfEntitlements } from './facts-queries.ts';
import { wholeTable } from './own-table.ts';

export const entitlements = wholeTable(
  {
    name: 'entitlements',
    doc: 'Products that names of entitlements stand for',
    fields: [
      { id: 1, name: 'org_id', type: 'string' },
      { id: 2, name: 'app_id', type: 'string' },
      { id: 3, name: 'name', type: 'string' },
      { id: 4, name: 'product_id', type: 'string' },
    ],
    specs: [{ id: 0, fields: [] }],
    sortedBy: [2, 3, 4],
  },
  stateOfEntitlements,
  entitlementRows,
);
