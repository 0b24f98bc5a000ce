import type { DuckDBConnection } from '@duckdb/node-api';
import {
  EVENT_COLUMN_NAMES,
  type EventRow,
  HOT_EVENTS,
  loadAliases,
  loadErased,
  loadRows,
} from '../event-store/read.ts';
import { type EventSource, personColumns } from './source.ts';

/** What a query reads, so that no more of the log is copied for it. */
export type Needs = {
  /** Columns of event files beside those that make up the person. */
  columns: readonly string[];
  /** Events of these names only; all when left out. */
  names?: readonly string[];
  /** What the catalogue knows of the values in files. */
  counts?: boolean;
  /** Projections of files. Tables are not made then: whoever needs them does it. */
  projections?: boolean;
};

async function loadHot(
  connection: DuckDBConnection,
  source: EventSource,
  { columns, names }: Needs,
): Promise<void> {
  const { orgId, appId, hotRows } = source;
  // `user_id` for the derived columns.
  const wanted = new Set([...personColumns(source), 'person_id', 'user_id', ...columns]);
  const needed = EVENT_COLUMN_NAMES.filter((name) => wanted.has(name));
  const isWanted = (row: EventRow) =>
    row.appId === appId && row.orgId === orgId && (names === undefined || names.includes(row.name));
  await loadRows(connection, HOT_EVENTS, hotRows.filter(isWanted), needed);
}

/** Connections that have their tables. */
const loaded = new WeakSet<DuckDBConnection>();

/** Makes the tables unless the connection has them. */
export async function ensureTables(
  connection: DuckDBConnection,
  source: EventSource,
  needs: Needs,
): Promise<void> {
  if (!loaded.has(connection)) await loadTables(connection, source, needs);
}

/** Makes the tables of what is not in files; a connection serves one query. */
export async function loadTables(
  connection: DuckDBConnection,
  source: EventSource,
  needs: Needs,
): Promise<void> {
  loaded.add(connection);
  await loadHot(connection, source, needs);
  const { appId, lateAliases, erased } = source;
  if (lateAliases.length > 0) {
    await loadAliases(
      connection,
      lateAliases.map((alias) => ({ ...alias, appId })),
    );
  }
  if (erased.length > 0) {
    await loadErased(
      connection,
      erased.map((id) => ({ appId, id })),
    );
  }
}
