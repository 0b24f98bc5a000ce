import type { DuckDBConnection } from '@duckdb/node-api';
import { appendTexts, EVENT_COLUMN_NAMES, type EventRow, loadRows } from '../event-store/read.ts';
import { ERASED_TABLE, type EventSource, HOT_TABLE, LINKS_TABLE, personColumns } from './source.ts';

/** What a query looks at, so that no more of the log is copied for it. */
export type Needs = {
  /** Columns of event files beside those that make up the person. */
  columns: readonly string[];
  /** Events of these names only; all when left out. */
  names?: readonly string[];
  /** What the catalogue knows of the values in files. */
  counts?: boolean;
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
  await loadRows(connection, HOT_TABLE, hotRows.filter(isWanted), needed);
}

/** Puts what is not in files where the queries find it; a connection serves one query. */
export async function loadTables(
  connection: DuckDBConnection,
  source: EventSource,
  needs: Needs,
): Promise<void> {
  await loadHot(connection, source, needs);
  if (source.lateLinks.length > 0) {
    await connection.run(
      `CREATE TEMP TABLE ${LINKS_TABLE} (anonymous_id VARCHAR, user_id VARCHAR)`,
    );
    const links = source.lateLinks.map(({ anonymousId, userId }) => [anonymousId, userId]);
    await appendTexts(connection, LINKS_TABLE, links);
  }
  if (source.erased.length > 0) {
    await connection.run(`CREATE TEMP TABLE ${ERASED_TABLE} (id VARCHAR)`);
    await appendTexts(
      connection,
      ERASED_TABLE,
      source.erased.map((id) => [id]),
    );
  }
}
