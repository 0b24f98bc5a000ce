import type { TableDefinition } from '../format/types.ts';
import { auditMonths, auditRows } from './audit-queries.ts';
import type { MonthlyTable } from './own-table.ts';

const AUDIT: TableDefinition = {
  name: 'audit',
  doc: 'Who changed what of the control plane, without secrets',
  fields: [
    { id: 1, name: 'org_id', type: 'string' },
    { id: 2, name: 'entry_id', type: 'string' },
    { id: 3, name: 'recorded_at', type: 'timestamptz' },
    { id: 4, name: 'actor_kind', type: 'string' },
    { id: 5, name: 'actor_id', type: 'string' },
    { id: 6, name: 'operation', type: 'string' },
    { id: 7, name: 'app_id', type: 'string' },
    { id: 8, name: 'changes', type: 'string' },
    { id: 9, name: 'address', type: 'string' },
    { id: 10, name: 'user_agent', type: 'string' },
    { id: 11, name: 'request_id', type: 'string' },
  ],
  specs: [
    { id: 0, fields: [{ sourceId: 3, id: 1000, name: 'recorded_at_month', transform: 'month' }] },
  ],
  sortedBy: [1, 3, 2],
};

export const audit: MonthlyTable = { table: AUDIT, months: auditMonths, rows: auditRows };
