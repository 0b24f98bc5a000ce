import type { DuckDBConnection } from '@duckdb/node-api';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Cooldowns } from './cooldowns.ts';

/** What publishing needs. */
export type Publisher = {
  sql: Sql;
  objects: ObjectStore;
  /** EVENTS_URL, which readers' addresses begin with. */
  eventsUrl: string;
  log: { info: (fields: object, message: string) => void };
  /** A DuckDB of its own, opened when it is first needed. */
  duck: () => Promise<DuckDBConnection>;
  rests: Cooldowns;
};
