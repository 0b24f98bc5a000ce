import { textList, textLiteral } from '../../../storage/duckdb-literal.ts';
import { whereSql } from '../../selection/condition-sql.ts';
import { isTraitColumn } from '../../selection/dimension.ts';
import { conditionsOfEvents } from '../../selection/selection.ts';
import type { Events } from '../source/events.ts';
import type { Lake } from '../source/lake.ts';
import { NotExpressible } from '../../failure/not-expressible.ts';

/** As files of all releases have them: the first ones had neither environments nor folded countries. */
const OF_FILES: Readonly<Record<string, string>> = {
  country:
    "CASE WHEN environment IS NULL AND regexp_like(country, '\\A[A-Za-z]{2}\\z') THEN upper(country) ELSE country END AS country",
};

function conditions({ source, selection, sql }: Events, isOfPeople: boolean): string[] {
  const { orgId, appId, environment } = source;
  const { names, ofClients } = selection;
  return [
    `app_id = ${textLiteral(appId)}`,
    `org_id = ${textLiteral(orgId)}`,
    ...sql.window,
    ...(names ? [`name IN (${textList(names)})`] : []),
    ...(ofClients ? ["NOT starts_with(name, '$')"] : []),
    ...(isOfPeople ? ["person_id <> ''"] : []),
    ...(environment === 'production' ? ["coalesce(environment, 'production') = 'production'"] : []),
    ...(environment === 'development' ? ["environment = 'development'"] : []),
  ];
}

/** Trino reads a small number as an INTEGER, which is no version. */
const asOfSql = (snapshotId: number) => `FOR VERSION AS OF BIGINT '${snapshotId}'`;

/** Without erased people and deleted apps. */
export function lakeEvents(
  events: Events,
  { snapshot }: Lake,
  columns: readonly string[],
  isOfPeople: boolean,
): string {
  const app = textLiteral(events.source.appId);
  const names = [...new Set([...columns, ...events.sql.columns])];
  if (names.some(isTraitColumn)) throw new NotExpressible('Traits of people DuckDB finds.');
  const read = names.map((name) => OF_FILES[name] ?? name);
  const outer = names.map((name) => `, ${name}`).join('');
  const where = conditionsOfEvents(events.selection)
    .map((where) => ` AND ${whereSql(where, events.sql.dialect).condition}`)
    .join('');
  const person = 'coalesce(p.user_id, e.person_id)';
  const erased = `(SELECT id FROM erasures ${asOfSql(snapshot.erasures)} WHERE app_id = ${app})`;
  const deleted = `(SELECT app_id FROM deleted_apps ${asOfSql(snapshot.deletedApps)})`;
  return `(SELECT nullif(person, '') AS person${outer} FROM (
    SELECT ${person} AS person, e.device${names.map((name) => `, e.${name}`).join('')}
    FROM (SELECT person_id, CASE WHEN user_id IS NULL THEN anonymous_id END AS device${read.map((sql) => `, ${sql}`).join('')}
      FROM events ${asOfSql(snapshot.events)} WHERE ${conditions(events, isOfPeople).join(' AND ')}) e
    LEFT JOIN (SELECT anonymous_id, user_id FROM people ${asOfSql(snapshot.people)}
      WHERE app_id = ${app}) p ON p.anonymous_id = e.device)
    WHERE person NOT IN ${erased} AND coalesce(device, '') NOT IN ${erased} AND ${app} NOT IN ${deleted}${where})`;
}
