import type { DuckDBConnection } from '@duckdb/node-api';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import type { Cooldowns } from './cooldowns.ts';

export type Publisher = {
  sql: Sql;
  objects: ObjectStore;
  /** EVENTS_URL: prefix of readers' addresses. */
  eventsUrl: string;
  log: { info: (fields: object, message: string) => void };
  duck: () => Promise<DuckDBConnection>;
  rests: Cooldowns;
};
