import type { DuckDBConnection } from '@duckdb/node-api';
import {
  DEVICE_SQL,
  EVENT_COLUMN_NAMES_SQL,
  EVENT_TABLE_SQL,
  eventFilesSql,
  loadAliases,
  loadErased,
  notErasedSql,
  SHARED_EVENTS,
  withAliases,
} from '../event-store/read.ts';
import { textList, textLiteral } from '../storage/duckdb-literal.ts';
import type { Dataset } from './dataset.ts';

/** Copies the rows out of files shared with other organizations, which stay inaccessible. */
async function copyShared(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(`CREATE TABLE ${SHARED_EVENTS} ${EVENT_TABLE_SQL}`);
  for (const { appIds, ...file } of dataset.sharedFiles) {
    await connection.run(
      `INSERT INTO ${SHARED_EVENTS} SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql([file])}
       WHERE org_id = ${textLiteral(dataset.orgId)} AND app_id IN (${textList(appIds)})`,
    );
  }
}

function viewSql({ orgId, ownFiles }: Dataset): string {
  const own =
    ownFiles.length === 0
      ? ''
      : `SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql(ownFiles)}
         WHERE org_id = ${textLiteral(orgId)} UNION ALL `;
  const { from, person } = withAliases(
    `(${own}SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${SHARED_EVENTS})`,
    { device: DEVICE_SQL, person: 'e.person_id', as: 'id', apps: 'many' },
  );
  return `CREATE VIEW events AS SELECT e.* REPLACE (${person} AS person_id)
    FROM ${from} WHERE ${notErasedSql(person)}`;
}

/**
 * Creates the view `events`, then locks DuckDB down irreversibly: no file but the organization's own
 * can be read, nothing can be loaded.
 */
export async function makeEventsView(
  connection: DuckDBConnection,
  dataset: Dataset,
): Promise<void> {
  await connection.run("SET timezone = 'UTC'");
  await copyShared(connection, dataset);
  await loadAliases(connection, dataset.lateAliases);
  await loadErased(connection, dataset.erased);
  await connection.run(viewSql(dataset));
  await connection.run(
    `SET allowed_paths = [${textList(dataset.ownFiles.map(({ path }) => path))}]`,
  );
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}
