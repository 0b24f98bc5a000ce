import type { TObject } from '@sinclair/typebox';
import type { Author } from '../shared/author.ts';
import { type Db, type Fragment, toColumn } from './postgres.ts';
import { rowParser } from './row-parser.ts';
import * as scoped from './rows-of-app.ts';

type Table<Plain extends string, Json extends string> = {
  table: string;
  /** Column of the id. */
  key: string;
  plain: readonly Plain[];
  json: readonly Json[];
  /** Field that names the maker. */
  by?: 'author' | 'owner';
};

/** Without `appId` for rows of an organization. */
type Scope = { orgId: string; appId?: string };

type Made = { id: string; by?: Author; at: Date };

const listed = (db: Db, parts: readonly Fragment[]): Fragment =>
  parts.reduce((list, part) => db`${list}, ${part}`);

/** Rows of things that people name and keep, by the schema of their answer. */
export function savedRows<T extends TObject, Plain extends string, Json extends string>(
  schema: T,
  { table, key, plain, json, by }: Table<Plain, Json>,
) {
  type Fields = Readonly<Record<Plain, string | boolean> & Record<Json, unknown>>;
  const rows = rowParser(schema, `row of ${table}`);
  const isOfApp = 'appId' in schema.properties;
  const names = [...plain, ...json].map(toColumn);

  const columns = (db: Db): Fragment => {
    const maker =
      by &&
      db`
      jsonb_build_object('kind', ${db(`${by}_kind`)}, 'id', ${db(`${by}_id`)}) AS ${db(by)}`;
    const own = [...(isOfApp ? ['app_id'] : []), ...names, 'created_at', 'updated_at'];
    return listed(db, [
      db`${db(key)} AS id`,
      ...own.map((name) => db`${db(name)}`),
      ...(maker ? [maker] : []),
    ]);
  };
  const within = (db: Db, { orgId, appId = '' }: Scope): Fragment =>
    isOfApp ? db`org_id = ${orgId} AND app_id = ${appId}` : db`org_id = ${orgId}`;
  const named = (db: Db, scope: Scope, id: string): Fragment =>
    db`${within(db, scope)} AND ${db(key)} = ${id}`;
  const values = (db: Db, fields: Fields): Fragment[] => [
    ...plain.map((name) => db`${fields[name]}`),
    ...json.map((name) => db`${JSON.stringify(fields[name])}::text::jsonb`),
  ];

  return {
    /** The default first, then by age; without a default by name. */
    all: (db: Db, scope: Scope) => {
      const order = names.includes('is_default') ? db`is_default DESC, created_at` : db`name`;
      return rows.all(db`
        SELECT ${columns(db)} FROM ${db(table)} WHERE ${within(db, scope)}
        ORDER BY ${order}, ${db(key)}`);
    },
    one: (db: Db, scope: Scope, id: string) =>
      rows.first(db`
        SELECT ${columns(db)} FROM ${db(table)} WHERE ${named(db, scope, id)}`),
    /** There until the transaction ends. */
    lock: (db: Db, scope: Scope, id: string) =>
      rows.first(db`
        SELECT ${columns(db)} FROM ${db(table)} WHERE ${named(db, scope, id)} FOR KEY SHARE`),
    insert: (db: Db, { orgId, appId = '' }: Scope, { id, by: maker, at }: Made, fields: Fields) => {
      const app = isOfApp ? { app_id: db`${appId}` } : {};
      const made = by &&
        maker && { [`${by}_kind`]: db`${maker.kind}`, [`${by}_id`]: db`${maker.id}` };
      const fixed = { [key]: db`${id}`, org_id: db`${orgId}`, ...app, ...made };
      const all = [...Object.keys(fixed), ...names].map((name) => db`${db(name)}`);
      return rows.only(db`
        INSERT INTO ${db(table)} (${listed(db, all)}, created_at, updated_at)
        VALUES (${listed(db, [...Object.values(fixed), ...values(db, fields)])}, ${at}, ${at})
        RETURNING ${columns(db)}`);
    },
    update: (db: Db, scope: Scope, edited: Fields & { id: string }, at: Date) => {
      const set = values(db, edited).map(
        (value, index) => db`${db(names[index] ?? '')} = ${value}`,
      );
      return rows.first(db`
        UPDATE ${db(table)} SET ${listed(db, set)}, updated_at = ${at}
        WHERE ${named(db, scope, edited.id)} RETURNING ${columns(db)}`);
    },
    exists: isOfApp ? scoped.existsInApp(table, key) : scoped.existsInOrganization(table, key),
    remove: isOfApp ? scoped.deleteInApp(table, key) : scoped.deleteInOrganization(table, key),
  };
}
