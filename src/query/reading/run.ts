import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventSource, Events } from './events.ts';
import type { CountingThreads } from './threads/threads.ts';

/** What a question reads beside names and times, so that no more of the log is copied for it. */
export type Needs = {
  /** Columns of events beside those of the selection and of the person. */
  columns: readonly string[];
  /** The catalogue's counts of values in files. */
  counts?: boolean;
  /** Projections of files; tables are made only when SQL answers after all. */
  projections?: boolean;
};

/** One question being answered: what is read, and by what. */
export type QueryRun = Events & {
  connection: DuckDBConnection;
  /** Makes DuckDB's tables of what is in no file, once; of some of the source, if given. */
  load: (source?: EventSource) => Promise<void>;
  /** Throws past the timeout; for loops outside DuckDB, which its interrupt does not reach. */
  checkTime: () => void;
  /** Count beside this one; null where there are none. */
  threads: CountingThreads | null;
};
