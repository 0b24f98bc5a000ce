import type { Alone, Deps, SystemContext } from './context.ts';
import type { AppScope } from './shared/app.ts';
import type { PersonPlace } from './storage/stored-rows.ts';

/** Part of an app's deletion. Must be idempotent, as crashes repeat it. */
export type CleanupStep = {
  /** Recorded in histories of running deletions. */
  name: string;
  run: (ctx: SystemContext<Alone>, app: AppScope) => Promise<void>;
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

  cleanup?: CleanupStep;
  people?: readonly PersonPlace[];
  sealed?: readonly SealedColumn[];
  ensureMissingRuns?: (deps: Pick<Deps, Alone>) => Promise<boolean>;
  /** Restarts runs Temporal lost, and other due work. */
  reconcile?: (deps: Pick<Deps, Alone>) => Promise<void>;
};
