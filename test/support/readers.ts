import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventSource } from '../../src/query/reading/source/events.ts';

/** Leaves only rows: projections are made in memory. */
export const withoutProjections = (source: Partial<EventSource>): Partial<EventSource> => ({
  ...source,
  files: (source.files ?? []).map((file) => ({ ...file, projection: null })),
});

/** Projections answer nothing while anybody is being erased. */
export const byDuck = (source: Partial<EventSource>): Partial<EventSource> => ({
  ...source,
  erased: ['nobody'],
});

/** For questions that are to be answered without reading anything. */
export const nobody = new Proxy<Partial<DuckDBConnection>>(
  {},
  {
    get: (_, key) => {
      throw new Error(`DuckDB is asked to ${String(key)}.`);
    },
  },
) as DuckDBConnection;
