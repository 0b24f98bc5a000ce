import type { OrgContext } from '../../context.ts';
import { toAuthor } from '../../shared/author.ts';
import { AppError, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import { savedRows } from '../../storage/saved-rows.ts';
import {
  type NewSqlQuery,
  SAVED_QUERIES_MAX,
  SqlQuery,
  type SqlQueryChange,
} from './saved.model.ts';

const saved = savedRows(SqlQuery, {
  table: 'sql_queries',
  key: 'query_id',
  plain: ['name', 'sql'],
  json: ['parameters'],
  by: 'owner',
});

export const queryExists = saved.exists;

type ById = { queryId: string };

export const listQueries = ({ deps, orgId }: OrgContext<'sql'>): Promise<SqlQuery[]> =>
  saved.all(deps.sql, { orgId });

function checkName(present: readonly SqlQuery[], { id, name }: { id: string; name: string }): void {
  if (!present.some((other) => other.id !== id && other.name === name)) return;
  throw new AppError('conflict', 'Another SQL query has this name.', {
    hint: 'Choose another name.',
  });
}

export async function saveQuery(
  { deps, orgId, actor }: OrgContext<'clock' | 'sql'>,
  { name, sql, parameters = {} }: NewSqlQuery,
): Promise<SqlQuery> {
  const made = { id: newId('qry'), by: toAuthor(actor), at: deps.clock() };
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'sqlQueries', orgId);
    const present = await saved.all(tx, { orgId });
    if (present.length >= SAVED_QUERIES_MAX) {
      throw new AppError('conflict', `There are at most ${SAVED_QUERIES_MAX} SQL queries.`, {
        hint: 'Delete one first.',
      });
    }
    checkName(present, { id: made.id, name });
    return saved.insert(tx, { orgId }, made, { name, sql, parameters });
  });
}

export async function editQuery(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { queryId, change }: ById & { change: SqlQueryChange },
): Promise<SqlQuery> {
  const now = deps.clock();
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'sqlQueries', orgId);
    const present = await saved.all(tx, { orgId });
    const edited = { ...orNotFound(present.find(({ id }) => id === queryId)), ...change };
    checkName(present, edited);
    return orNotFound(await saved.update(tx, { orgId }, edited, now));
  });
}

export async function deleteQuery(
  { deps, orgId }: OrgContext<'sql'>,
  { queryId }: ById,
): Promise<void> {
  if (!(await saved.remove(deps.sql, { orgId, appId: null }, queryId))) throw notFound();
}
