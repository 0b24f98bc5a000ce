import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENT_TABLE_SQL } from '../modules/events/columns.ts';
import { appendRows } from '../modules/events/parquet/engine.ts';
import { ERASED_TABLE, type EventSource, HOT_TABLE, LINKS_TABLE } from './source.ts';

async function appendTexts(
  connection: DuckDBConnection,
  table: string,
  rows: Iterable<readonly string[]>,
): Promise<void> {
  const appender = await connection.createAppender(table);
  for (const row of rows) {
    for (const text of row) appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
}

/** Puts what is not in files where the connection's queries find it; each connection serves one query. */
export async function loadTables(connection: DuckDBConnection, source: EventSource): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${HOT_TABLE} ${EVENT_TABLE_SQL}`);
  if (source.hotRows.length > 0) await appendRows(connection, HOT_TABLE, source.hotRows);
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
