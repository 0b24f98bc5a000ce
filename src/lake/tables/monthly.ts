import type { Db } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { TextRow } from './write.ts';

/**
 * A table whose rows PostgreSQL has, in a file for each month: a month of which something changed is
 * written anew, the others stay as they are. Triggers note what changed, in `lake_changes`.
 */
export type MonthlyTable = {
  table: TableDefinition;
  /** The first day of every month that has rows. */
  months: (db: Db) => Promise<string[]>;
  rows: (db: Db, month: string) => AsyncIterable<readonly TextRow[]>;
};
