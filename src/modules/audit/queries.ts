import { Type } from '@sinclair/typebox';
import type { AppScope } from '../../shared/app.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { type Db, type Sql, done, firstValue } from '../../storage/postgres.ts';
import { rowParser, rowsOf } from '../../storage/row-parser.ts';
import { ofApp, type PersonPlace, userIds } from '../../storage/stored-rows.ts';
import { AuditChange, AuditEntry, type AuditQuery } from './model.ts';

const parseEntry = rowParser(AuditEntry, 'audit entry');
const changeParser = parser(AuditChange, 'change of an audit entry');

const toEntry = (row: { changes: unknown }): AuditEntry => {
  const changes = Array.isArray(row.changes) ? row.changes.filter(changeParser.check) : [];
  return parseEntry({ ...row, changes });
};
const entryRows = rowsOf(toEntry);

const StoredEntry = Type.Composite([
  Type.Omit(AuditEntry, ['id']),
  Type.Object({
    entryId: Type.String(),
    orgId: Nullable(Type.String()),
    people: Type.Array(Type.String()),
  }),
]);
const toStored = rowParser(StoredEntry, 'audit entry');

export function entryOfRow(row: object) {
  const { entryId: id, orgId, people, ...entry } = toStored(row);
  return { orgId, people, entry: { id, ...entry } };
}

export const selectEntries = (
  db: Db,
  orgId: string,
  { limit = 50, cursor, actorId, appId, operation, of, objectId, from, to }: AuditQuery,
) =>
  entryRows.all(db<{ changes: unknown }[]>`
    SELECT entry_id AS id, at, actor_kind, actor_id, operation, app_id, changes, address,
      user_agent, request_id
    FROM audit_entries WHERE org_id = ${orgId}
      ${cursor === undefined ? db`` : db`AND entry_id < ${cursor}`}
      ${actorId === undefined ? db`` : db`AND actor_id = ${actorId}`}
      ${appId === undefined ? db`` : db`AND app_id = ${appId}`}
      ${operation === undefined ? db`` : db`AND operation = ${operation}`}
      ${of === undefined ? db`` : db`AND changes @> jsonb_build_array(jsonb_build_object('of', ${of}::text))`}
      ${objectId === undefined ? db`` : db`AND jsonb_path_exists(changes, '$[*].id.* ? (@ == $id)', jsonb_build_object('id', ${objectId}::text))`}
      ${from === undefined ? db`` : db`AND at >= ${from}::date`}
      ${to === undefined ? db`` : db`AND at < ${to}::date + 1`}
    ORDER BY entry_id DESC LIMIT ${limit}`);

const namesAny = (db: Db, scope: AppScope, ids: readonly string[]) => db`
  ${ofApp(db, scope)} AND people <> '{}' AND people && ${[...ids]}::text[]`;

/** One pseudonym for all ids of a person. */
export async function forgetPeople(db: Db, scope: AppScope, ids: readonly string[]): Promise<void> {
  const pseudonym = `erased_${crypto.randomUUID()}`;
  await db`SELECT set_config('audit.allows', 'erasure', true)`;
  await db`
    UPDATE audit_entries SET changes = audit_forget(changes, ${[...ids]}, ${pseudonym}),
      people = ARRAY(SELECT CASE WHEN id = ANY(${[...ids]}) THEN ${pseudonym} ELSE id END
        FROM unnest(people) AS id)
    WHERE ${namesAny(db, scope, ids)}`;
  await db`SELECT set_config('audit.allows', '', true)`;
}

const nameNobody = (db: Db) =>
  done(db`SELECT set_config('audit.people', '', true),
    set_config('audit.changes', CASE WHEN current_setting('audit.on', true) = 'on'
      THEN '[{"of": "people", "id": null, "before": null, "after": null}]' ELSE '' END, true)`);

export async function forgetPeopleOfApp(sql: Sql, scope: AppScope): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    SELECT DISTINCT unnest(people) AS id FROM audit_entries
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND people <> '{}'`;
  for (const { id } of rows.filter(({ id }) => !id.startsWith('erased_'))) {
    await sql.begin((tx) => forgetPeople(tx, scope, [id]));
  }
}

export const ENTRIES_OF_PERSON: PersonPlace = {
  kind: 'audit_entry',
  table: 'audit_entries',
  ids: ['people'],
  words: ['changes'],
  key: (sql) => sql`entry_id`,
  where: (db, scope, person) => namesAny(db, scope, userIds(person)),
  data: (db, person) => db`to_jsonb(stored) || jsonb_build_object(
    'people', ARRAY(SELECT id FROM unnest(people) AS id WHERE id = ANY(${userIds(person)})),
    'changes', audit_forget(changes, ARRAY(
      SELECT id FROM unnest(people) AS id WHERE id <> ALL(${userIds(person)})), 'another_person'))`,
  without: ['actor_id', 'address', 'user_agent'],
  erase: async (db, scope, person) => {
    await forgetPeople(db, scope, userIds(person));
    await nameNobody(db);
  },
};

/** Null until said. */
export const selectKeptDays = (db: Db, orgId: string) =>
  firstValue(db<{ days: number }[]>`
    SELECT kept_days AS days FROM audit_settings WHERE org_id = ${orgId}`);

export const upsertKeptDays = (
  db: Db,
  orgId: string,
  { keptDays, at }: { keptDays: number; at: Date },
) =>
  done(db`
    INSERT INTO audit_settings (org_id, kept_days, updated_at) VALUES (${orgId}, ${keptDays}, ${at})
    ON CONFLICT (org_id) DO UPDATE SET kept_days = EXCLUDED.kept_days,
      updated_at = EXCLUDED.updated_at`);

/** Each organization's by its own days; at most `limit` of each. */
export async function deleteOldEntries(
  sql: Sql,
  { now, days, limit }: { now: Date; days: number; limit: number },
): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`SELECT set_config('audit.allows', 'retention', true)`;
    const deleted = await tx`
      DELETE FROM audit_entries WHERE entry_id IN (
        SELECT old.entry_id FROM (SELECT id FROM auth.organization UNION ALL SELECT NULL) AS owner
          LEFT JOIN audit_settings AS s ON s.org_id = owner.id
          CROSS JOIN LATERAL (
            SELECT entry_id FROM audit_entries AS e
            WHERE (e.org_id = owner.id OR e.org_id IS NULL AND owner.id IS NULL)
              AND e.at < ${now}::timestamptz - make_interval(days => coalesce(s.kept_days, ${days}))
            LIMIT ${limit}) AS old)`;
    return deleted.count;
  });
}
