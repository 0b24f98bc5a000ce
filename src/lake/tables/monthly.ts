import type { Db } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { TextRow } from './write.ts';

/** One file per month; changed months, noted by triggers in `lake_changes`, are rewritten. */
export type MonthlyTable = {
  table: TableDefinition;
  /** First day of each month with rows. */
  months: (db: Db) => Promise<string[]>;
  rows: (db: Db, month: string) => AsyncIterable<readonly TextRow[]>;
};
