import type { Db, Tx } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { TextRow } from './write.ts';

/** Triggers note changed months in `lake_changes`. */
export type MonthlyTable = {
  table: TableDefinition;
  months: (db: Db) => Promise<string[]>;
  rows: (db: Db, month: string) => AsyncIterable<readonly TextRow[]>;
};

export type Refresh = {
  source: string;
  rows: AsyncIterable<readonly TextRow[]>;
  /** True for all rows, false for additions. */
  replaces: boolean;
};

export type OwnTable = {
  table: TableDefinition;
  refresh: (
    tx: Tx,
    published: { source: string; files: number; updatedMs: number } | null,
  ) => Promise<Refresh | null>;
};

export const wholeTable = (
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
