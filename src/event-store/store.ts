import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../shared/time.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';

type LogLine = (fields: object, message: string) => void;

/** The part of a logger that the event store uses. */
export type Reporter = { error: LogLine; warn: LogLine; info: LogLine };

/** Catalogue and files: enough to read events and to clean up. */
export type EventStore = { sql: Sql; objects: ObjectStore; clock: Clock };

/** The event store with an engine, whose tables have fixed names: one job at a time uses it. */
export type FileWriter = EventStore & { connection: DuckDBConnection };

/** The objects of this installation, in a place that another one may take over. */
export type OwnedObjectStore = ObjectStore & {
  /** Checks the owner before the first write, which a bucket that is far away would hold up. */
  confirmOwner: () => Promise<void>;
};
