import type { Tx } from '../../storage/postgres.ts';
import type { TableDefinition } from '../format/types.ts';
import type { TextRow } from './write.ts';

export type Refresh = {
  /** What of the rows' origin will tell whether they changed. */
  source: string;
  rows: AsyncIterable<readonly TextRow[]>;
  /** All rows of the table; otherwise such as come to those that it has. */
  replaces: boolean;
};

/** A table whose rows PostgreSQL has: files are written for it under `lake/`. */
export type OwnTable = {
  table: TableDefinition;
  /** What is to be written; null when nothing changed. */
  refresh: (
    tx: Tx,
    published: { source: string; files: number; updatedMs: number } | null,
  ) => Promise<Refresh | null>;
};
