import type { DuckDBConnection } from '@duckdb/node-api';
import {
  appendTexts,
  EVENT_COLUMN_NAMES_SQL,
  EVENT_TABLE_SQL,
  eventFilesSql,
} from '../event-store/read.ts';
import { textList, textLiteral } from '../query/literal.ts';
import type { Dataset } from './dataset.ts';

/** Rows of files that hold other organizations too, copied, so that those files stay closed. */
async function copyShared(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(`CREATE TABLE shared_events ${EVENT_TABLE_SQL}`);
  for (const { appIds, ...file } of dataset.sharedFiles) {
    await connection.run(
      `INSERT INTO shared_events SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql([file])}
       WHERE org_id = ${textLiteral(dataset.orgId)} AND app_id IN (${textList(appIds)})`,
    );
  }
}

async function loadPeople(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run('CREATE TABLE late_links (app_id VARCHAR, id VARCHAR, user_id VARCHAR)');
  const links = dataset.lateLinks.map(({ appId, id, userId }) => [appId, id, userId]);
  await appendTexts(connection, 'late_links', links);
  await connection.run('CREATE TABLE erased_people (app_id VARCHAR, id VARCHAR)');
  const erased = dataset.erased.map(({ appId, id }) => [appId, id]);
  await appendTexts(connection, 'erased_people', erased);
}

function viewSql({ orgId, ownFiles }: Dataset): string {
  const own =
    ownFiles.length === 0
      ? ''
      : `SELECT ${EVENT_COLUMN_NAMES_SQL} FROM ${eventFilesSql(ownFiles)}
         WHERE org_id = ${textLiteral(orgId)} UNION ALL `;
  return `CREATE VIEW events AS
    SELECT e.* REPLACE (coalesce(l.user_id, e.person_id) AS person_id)
    FROM (${own}SELECT ${EVENT_COLUMN_NAMES_SQL} FROM shared_events) e
    LEFT JOIN late_links l ON l.app_id = e.app_id
      AND l.id = (CASE WHEN e.user_id IS NULL THEN e.anonymous_id END)
    WHERE NOT EXISTS (FROM erased_people g WHERE g.app_id = e.app_id
      AND g.id IN (coalesce(l.user_id, e.person_id),
        CASE WHEN e.user_id IS NULL THEN e.anonymous_id END))`;
}

/**
 * Makes the view `events` and then closes the door: no file but the organization's own can be
 * reached, nothing can be loaded, and none of that can be set back.
 */
export async function makeEventsView(
  connection: DuckDBConnection,
  dataset: Dataset,
): Promise<void> {
  await connection.run("SET timezone = 'UTC'");
  await copyShared(connection, dataset);
  await loadPeople(connection, dataset);
  await connection.run(viewSql(dataset));
  await connection.run(
    `SET allowed_paths = [${textList(dataset.ownFiles.map(({ path }) => path))}]`,
  );
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}
