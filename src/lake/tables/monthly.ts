import type { Db } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { TextRow } from './write.ts';

/** Triggers note changed months in `lake_changes`. */
export type MonthlyTable = {
  table: TableDefinition;
  months: (db: Db) => Promise<string[]>;
  rows: (db: Db, month: string) => AsyncIterable<readonly TextRow[]>;
};
