import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../shared/time.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';

type LogLine = (fields: object, message: string) => void;

export type Reporter = { error: LogLine; warn: LogLine; info: LogLine };

export type EventStore = { sql: Sql; objects: ObjectStore; clock: Clock };

/** Tables have fixed names: one job at a time. */
export type FileWriter = EventStore & { connection: DuckDBConnection };

/** In a place another installation may take over. */
export type OwnedObjectStore = ObjectStore & {
  /** A remote bucket would delay the first write. */
  confirmOwner: () => Promise<void>;
};
