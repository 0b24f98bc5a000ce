import { DEFAULT_SCOPE } from '../../../shared/environment.ts';
import { textList, textLiteral } from '../../../storage/duckdb-literal.ts';
import { whereSql } from '../../selection/condition-sql.ts';
import { type AppSelection, conditionsOfEvents } from '../../selection/selection.ts';
import type { LakeSnapshot } from './queries.ts';
import { LAKE } from './values.ts';

const SECOND_US = 1_000_000;

export type LakeEvents = AppSelection & { snapshot: LakeSnapshot; whose?: 'people' | 'anybody' };

export function instantSql(us: number): string {
  const seconds = Math.floor(us / SECOND_US);
  const text = new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  const fraction = String(us - seconds * SECOND_US).padStart(6, '0');
  return `TIMESTAMP '${text}.${fraction} UTC'`;
}

/** `to_unixtime` is a double of seconds: only the difference is multiplied. */
export function sinceSql(time: string, originUs: number): string {
  const seconds = Math.floor(originUs / SECOND_US);
  const rest = originUs - seconds * SECOND_US;
  const us = `CAST(round((to_unixtime(${time}) - ${seconds}) * 1e6) AS BIGINT)`;
  return rest === 0 ? us : `(${us} - ${rest})`;
}

/** As files of all releases have them: the first ones had neither environments nor folded countries. */
const OF_FILES: Readonly<Record<string, string>> = {
  country:
    "CASE WHEN environment IS NULL AND regexp_like(country, '\\A[A-Za-z]{2}\\z') THEN upper(country) ELSE country END AS country",
};

function conditions(events: LakeEvents): string[] {
  const { orgId, appId, names, ofClients, fromUs = 0, beforeUs } = events;
  const environment = events.environment ?? DEFAULT_SCOPE;
  return [
    `app_id = ${textLiteral(appId)}`,
    `org_id = ${textLiteral(orgId)}`,
    `occurred_at >= ${instantSql(fromUs)}`,
    `occurred_at < ${instantSql(beforeUs)}`,
    ...(names ? [`name IN (${textList(names)})`] : []),
    ...conditionsOfEvents(events).map((where) => whereSql(where, LAKE).condition),
    ...(ofClients ? ["NOT starts_with(name, '$')"] : []),
    ...(events.whose === 'anybody' ? [] : ["person_id <> ''"]),
    ...(environment === 'production' ? ["coalesce(environment, 'production') = 'production'"] : []),
    ...(environment === 'development' ? ["environment = 'development'"] : []),
  ];
}

/** Trino reads a small number as an INTEGER, which is no version. */
const asOfSql = (snapshotId: number) => `FOR VERSION AS OF BIGINT '${snapshotId}'`;

/** Without erased people and deleted apps. */
export function lakeEvents(events: LakeEvents, columns: readonly string[]): string {
  const { snapshot, appId } = events;
  const app = textLiteral(appId);
  const names = [...new Set(columns)];
  const read = names.map((name) => OF_FILES[name] ?? name);
  const outer = names.map((name) => `, ${name}`).join('');
  const person = 'coalesce(p.user_id, e.person_id)';
  const erased = `(SELECT id FROM erasures ${asOfSql(snapshot.erasures)} WHERE app_id = ${app})`;
  const deleted = `(SELECT app_id FROM deleted_apps ${asOfSql(snapshot.deletedApps)})`;
  return `(SELECT nullif(person, '') AS person${outer} FROM (
    SELECT ${person} AS person, e.device${names.map((name) => `, e.${name}`).join('')}
    FROM (SELECT person_id, CASE WHEN user_id IS NULL THEN anonymous_id END AS device${read.map((sql) => `, ${sql}`).join('')}
      FROM events ${asOfSql(snapshot.events)} WHERE ${conditions(events).join(' AND ')}) e
    LEFT JOIN (SELECT anonymous_id, user_id FROM people ${asOfSql(snapshot.people)}
      WHERE app_id = ${app}) p ON p.anonymous_id = e.device)
    WHERE person NOT IN ${erased} AND coalesce(device, '') NOT IN ${erased} AND ${app} NOT IN ${deleted})`;
}
