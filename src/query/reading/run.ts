import type { DuckDBConnection } from '@duckdb/node-api';
import type { Members } from './projection/members.ts';
import type { EventSource, Events } from './source/events.ts';
import type { CountingThreads } from './threads/threads.ts';

/** So that no more of the log is copied than a question needs. */
export type Needs = {
  columns: readonly string[];
  counts?: boolean;
  /** Projections of files; tables are made only when SQL answers after all. */
  projections?: boolean;
  /** Files whose columns are read with projections. */
  properties?: readonly string[];
};

export const QUERY_FORMS = ['projections', 'sql', 'lake', 'other'] as const;
export type QueryForm = (typeof QUERY_FORMS)[number];

export type QueryRun = Events & {
  connection: DuckDBConnection;
  load: (source?: EventSource) => Promise<void>;
  /** Throws past the timeout; for loops outside DuckDB, which its interrupt does not reach. */
  checkTime: () => void;
  members?: Members;
  /** Told of properties that projections do not hold by themselves. */
  noteUse?: ((props: readonly string[]) => void) | undefined;
  noteForm?: (form: QueryForm) => void;
  /** Count beside this one; null where there are none. */
  threads: CountingThreads | null;
};
