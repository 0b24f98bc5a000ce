import type { Deps, SystemContext } from './context.ts';
import type { AppScope } from './shared/app.ts';
import type { Db } from './storage/postgres.ts';
import type { StoredPage, StoredRow } from './storage/stored-rows.ts';

/** What goes with a deleted app. It may run twice, and after a crash it runs again. */
export type CleanupStep = {
  /** Stands in the histories of deletions under way. */
  name: string;
  run: (ctx: SystemContext, app: AppScope) => Promise<void>;
};

/** Rows that hold something of a person, as an export shows them. */
export type PersonRecords = {
  /** A word of the interface: the `kind` of these records. */
  kind: string;
  read: (
    db: Db,
    app: AppScope,
    ids: readonly string[],
    page: StoredPage,
  ) => Promise<readonly StoredRow[]>;
};

/** What is stored of a person beside the events: all that is erased is exported. */
export type ErasureStep = {
  name: string;
  /** Erases it, in the erasure's transaction. */
  run: (db: Db, app: AppScope, ids: readonly string[]) => Promise<unknown>;
  /** Everything that `run` takes away or changes. */
  records: readonly [PersonRecords, ...PersonRecords[]];
};

export type SealedColumn = {
  table: string;
  /** Text, null where there is no secret; the table also has `org_id`. */
  column: string;
  /** Bound to the sealed record, with the organization. */
  purpose: string;
};

/** What a chapter keeps, how it ends and what runs for it; `src/app/chapters.ts` collects them. */
export type Chapter = {
  name: string;
  /** Every table with rows of an organization, an app or a person. */
  tables: readonly string[];
  /** For what does not end with the app's row by a foreign key. */
  cleanup?: CleanupStep;
  /** In this order. */
  erasure?: readonly ErasureStep[];
  sealed?: readonly SealedColumn[];
  /** Ensures runs that were not ensured after the commit of their rows; whether there may be more. */
  ensureMissingRuns?: (deps: Deps) => Promise<boolean>;
  /** Starts runs that Temporal lost, and does what else is due by rows and time. */
  reconcile?: (deps: Deps) => Promise<void>;
};
