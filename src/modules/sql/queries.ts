import type { Db, Tx } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { deleteInOrganization, existsInOrganization } from '../../storage/rows-of-app.ts';
import { SqlQuery } from './saved.model.ts';

const columns = (db: Db) => db`
  query_id AS id, name, sql, parameters,
  jsonb_build_object('kind', owner_kind, 'id', owner_id) AS owner,
  created_at, updated_at`;

const toQuery = rowParser(SqlQuery, 'stored SQL query');

export const selectQueries = (db: Db, orgId: string) =>
  toQuery.all(db`
    SELECT ${columns(db)} FROM sql_queries WHERE org_id = ${orgId} ORDER BY name, query_id`);

export const queryExists = existsInOrganization('sql_queries', 'query_id');

export const insertQuery = (
  tx: Tx,
  orgId: string,
  { id, name, sql, parameters, owner, createdAt }: Omit<SqlQuery, 'updatedAt'>,
) =>
  toQuery.only(tx`
    INSERT INTO sql_queries (query_id, org_id, name, sql, parameters, owner_kind, owner_id,
      created_at, updated_at)
    VALUES (${id}, ${orgId}, ${name}, ${sql}, ${JSON.stringify(parameters)}::text::jsonb,
      ${owner.kind}, ${owner.id}, ${createdAt}, ${createdAt})
    RETURNING ${columns(tx)}`);

export const updateQuery = (
  tx: Tx,
  orgId: string,
  { id, name, sql, parameters }: SqlQuery,
  at: Date,
) =>
  toQuery.first(tx`
    UPDATE sql_queries SET name = ${name}, sql = ${sql},
      parameters = ${JSON.stringify(parameters)}::text::jsonb, updated_at = ${at}
    WHERE org_id = ${orgId} AND query_id = ${id} RETURNING ${columns(tx)}`);

export const deleteQueryRow = deleteInOrganization('sql_queries', 'query_id');
