import type { Deps, SystemContext } from './context.ts';
import type { AppScope } from './shared/app.ts';
import type { Db } from './storage/postgres.ts';
import type { StoredPage, StoredRow } from './storage/stored-rows.ts';

/** Part of an app's deletion. Must be idempotent, as crashes repeat it. */
export type CleanupStep = {
  /** Recorded in histories of running deletions. */
  name: string;
  run: (ctx: SystemContext, app: AppScope) => Promise<void>;
};

export type PersonRecords = {
  kind: string;
  read: (
    db: Db,
    app: AppScope,
    ids: readonly string[],
    page: StoredPage,
  ) => Promise<readonly StoredRow[]>;
};

/** Outside of the events; everything erased is exported. */
export type ErasureStep = {
  name: string;
  /** Runs in the erasure's transaction. */
  run: (db: Db, app: AppScope, ids: readonly string[]) => Promise<unknown>;
  /** Covers everything `run` removes or changes. */
  records: readonly [PersonRecords, ...PersonRecords[]];
};

export type SealedColumn = {
  table: string;
  column: string;
  /** Authenticated with the sealed record, like the organization. */
  purpose: string;
};

export type Chapter = {
  name: string;
  /** All tables with rows of organizations, apps or people. */
  tables: readonly string[];
  /** For data without a foreign key to the app. */
  cleanup?: CleanupStep;
  erasure?: readonly ErasureStep[];
  sealed?: readonly SealedColumn[];
  ensureMissingRuns?: (deps: Deps) => Promise<boolean>;
  /** Restarts runs Temporal lost, and other due work. */
  reconcile?: (deps: Deps) => Promise<void>;
};
