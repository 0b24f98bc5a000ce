import { onlyRow } from '../../shared/assert.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInOrganization, existsInOrganization } from '../../storage/rows-of-app.ts';
import { SqlQuery } from './saved.model.ts';

const columns = (db: Db) => db`
  query_id AS id, name, sql, parameters,
  jsonb_build_object('kind', owner_kind, 'id', owner_id) AS owner,
  created_at, updated_at`;

const toQuery = rowParser(SqlQuery, 'stored SQL query');

export async function selectQueries(db: Db, orgId: string): Promise<SqlQuery[]> {
  const rows = await db`
    SELECT ${columns(db)} FROM sql_queries WHERE org_id = ${orgId} ORDER BY name, query_id`;
  return rows.map(toQuery);
}

export const queryExists = existsInOrganization('sql_queries', 'query_id');

export async function insertQuery(
  tx: Tx,
  orgId: string,
  { id, name, sql, parameters, owner, createdAt }: Omit<SqlQuery, 'updatedAt'>,
): Promise<SqlQuery> {
  const rows = await tx`
    INSERT INTO sql_queries (query_id, org_id, name, sql, parameters, owner_kind, owner_id,
      created_at, updated_at)
    VALUES (${id}, ${orgId}, ${name}, ${sql}, ${JSON.stringify(parameters)}::text::jsonb,
      ${owner.kind}, ${owner.id}, ${createdAt}, ${createdAt})
    RETURNING ${columns(tx)}`;
  return toQuery(onlyRow(rows));
}

export async function updateQuery(
  tx: Tx,
  orgId: string,
  { id, name, sql, parameters }: SqlQuery,
  at: Date,
): Promise<SqlQuery | null> {
  const [row] = await tx`
    UPDATE sql_queries SET name = ${name}, sql = ${sql},
      parameters = ${JSON.stringify(parameters)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND query_id = ${id} RETURNING ${columns(tx)}`;
  return row ? toQuery(row) : null;
}

export const deleteQueryRow = deleteInOrganization('sql_queries', 'query_id');
