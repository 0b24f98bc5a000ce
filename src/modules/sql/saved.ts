import type { OrgContext } from '../../context.ts';
import { toAuthor } from '../../shared/author.ts';
import { AppError, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { toIso } from '../../shared/time.ts';
import { lockSubject } from '../../storage/locks.ts';
import { deleteQueryRow, insertQuery, selectQueries, updateQuery } from './queries.ts';
import {
  type NewSqlQuery,
  SAVED_QUERIES_MAX,
  type SqlQuery,
  type SqlQueryChange,
} from './saved.model.ts';

type ById = { queryId: string };

export const listQueries = ({ deps, orgId }: OrgContext<'sql'>): Promise<SqlQuery[]> =>
  selectQueries(deps.sql, orgId);

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
  const [owner, createdAt, id] = [toAuthor(actor), toIso(deps.clock()), newId('qry')];
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'sqlQueries', orgId);
    const present = await selectQueries(tx, orgId);
    if (present.length >= SAVED_QUERIES_MAX) {
      throw new AppError('conflict', `There are at most ${SAVED_QUERIES_MAX} SQL queries.`, {
        hint: 'Delete one first.',
      });
    }
    checkName(present, { id, name });
    return insertQuery(tx, orgId, { id, name, sql, parameters, owner, createdAt });
  });
}

export async function editQuery(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { queryId, change }: ById & { change: SqlQueryChange },
): Promise<SqlQuery> {
  const now = deps.clock();
  return deps.sql.begin(async (tx) => {
    await lockSubject(tx, 'sqlQueries', orgId);
    const present = await selectQueries(tx, orgId);
    const edited = { ...orNotFound(present.find(({ id }) => id === queryId)), ...change };
    checkName(present, edited);
    return orNotFound(await updateQuery(tx, orgId, edited, now));
  });
}

export async function deleteQuery(
  { deps, orgId }: OrgContext<'sql'>,
  { queryId }: ById,
): Promise<void> {
  if (!(await deleteQueryRow(deps.sql, { orgId }, queryId))) throw notFound();
}
