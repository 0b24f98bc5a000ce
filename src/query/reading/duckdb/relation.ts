import {
  columnSql,
  derivedSql,
  HOT_EVENTS,
  NOBODY_SQL,
  notErasedInAppSql,
  readEventFilesSql,
  withAliases,
} from '../../../event-store/read.ts';
import { textLiteral } from '../../../storage/duckdb-literal.ts';
import { isTraitColumn } from '../../selection/dimension.ts';
import { ROW_COLUMNS } from '../../selection/member-sql.ts';
import { lakeEvents } from '../lake/relation.ts';
import {
  type EventSource,
  type Events,
  NOT_RESERVED_SQL,
  type SelectedFile,
} from '../source/events.ts';

/** Each predicate costs reading a column. */
function fileConditions({ source, selection, sql }: Events, file: SelectedFile): string[] {
  const { environment } = source;
  const isMixed = environment !== 'all' && file.developmentRows > 0;
  return [
    ...(file.level === 0
      ? [`app_id = ${textLiteral(source.appId)}`, `org_id = ${textLiteral(source.orgId)}`]
      : []),
    ...(isMixed ? [`environment = ${textLiteral(environment)}`] : []),
    ...(file.isInside ? [] : sql.window),
    ...(selection.ofClients && file.counts?.reserved !== 0 ? [NOT_RESERVED_SQL] : []),
    ...sql.others,
  ];
}

type Person = 'id' | 'key';

export function personColumns(
  { lateAliases, sharesIds, erased }: EventSource,
  person: Person = 'id',
): string[] {
  if (erased.length > 0 || sharesIds) return ['person_id', 'is_anonymous', 'anonymous_id'];
  return [
    person === 'id' ? 'person_id' : 'person_key',
    ...(lateAliases.length > 0 ? ['is_anonymous'] : []),
  ];
}

function selectSql(columns: readonly string[], from: string, where: string): string {
  return `SELECT ${columns.join(', ')} FROM ${from}${where && ` WHERE ${where}`}`;
}

function fileParts(events: Events, columns: readonly string[]): string[] {
  const wanted = [...new Set(columns)];
  events.source.uses?.note(events.files.map(({ path }) => path));
  const byPredicate = Map.groupBy(events.files, (file) =>
    fileConditions(events, file).join(' AND '),
  );
  return [...byPredicate].flatMap(([where, filtered]) => {
    const byColumns = Map.groupBy(filtered, ({ format }) =>
      wanted.map((column) => columnSql(column, format)).join(', '),
    );
    return [...byColumns].map(([selected, alike]) => {
      const from = readEventFilesSql(alike.map(({ path }) => path));
      return selectSql([selected], from, where);
    });
  });
}

export function fileEvents(events: Events, columns: readonly string[]): string | null {
  const parts = fileParts(events, columns);
  return parts.length === 0 ? null : `(${parts.join(' UNION ALL ')})`;
}

function withTraits(rows: string, traits: readonly string[]): string {
  const joins = traits.map(
    (trait) => `LEFT JOIN ${trait} ON ${trait}.person = e.person_key
      AND ${trait}.is_device = coalesce(e.is_anonymous AND e.anonymous_id = e.person_id, false)`,
  );
  const texts = traits.map((trait) => `, ${trait}.text AS ${trait}`).join('');
  return `(SELECT e.*${texts} FROM ${rows} e ${joins.join(' ')})`;
}

export function rawEvents(events: Events, columns: readonly string[]): string {
  const traits = [...new Set(columns.filter(isTraitColumn))];
  if (traits.length === 0) return storedEvents(events, columns);
  const stored = columns.filter((column) => !isTraitColumn(column));
  return withTraits(storedEvents(events, [...stored, ...ROW_COLUMNS]), traits);
}

function storedEvents(events: Events, columns: readonly string[]): string {
  const { selection, sql } = events;
  const ofClients = selection.ofClients ? [NOT_RESERVED_SQL] : [];
  const ofLog = [...sql.window, ...ofClients, ...sql.others].join(' AND ');
  const parts = [
    ...fileParts(events, columns),
    selectSql([...new Set(columns)].map(derivedSql), HOT_EVENTS, ofLog),
  ];
  return `(${parts.join(' UNION ALL ')})`;
}

/** A row without an alias costs no further column. */
export function withLateAliases(
  rows: string,
  as: Person,
  sharesIds = false,
): { from: string; person: string } {
  const person = `e.person_${as}`;
  const device = `CASE WHEN e.is_anonymous THEN ${sharesIds ? 'e.anonymous_id' : person} END`;
  return withAliases(rows, { device, person, as, apps: 'one' });
}

export type Whose = 'people' | 'anybody';

/** By `key` people are merely told apart; null is nobody. */
export function eventRelation(
  events: Events,
  columns: readonly string[],
  as: Person = 'id',
  whose: Whose = 'people',
): string {
  const { source, sql } = events;
  if (source.lake) return lakeEvents(events, source.lake, columns, whose === 'people');
  const hasErased = source.erased.length > 0;
  const wanted = [...new Set([...columns, ...sql.columns])];
  const raw = rawEvents(events, [...personColumns(source, as), ...wanted]);
  const selected = wanted.map((column) => `, e.${column}`).join('');
  const stored = hasErased || source.sharesIds ? 'id' : as;
  const { from, person } =
    source.lateAliases.length > 0
      ? withLateAliases(raw, stored, source.sharesIds)
      : { from: `${raw} e`, person: `e.person_${stored}` };
  const conditions = [
    ...(hasErased ? [notErasedInAppSql(person)] : []),
    ...(whose === 'people' ? [`${person} <> ${NOBODY_SQL[stored]}`] : []),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const shown = whose === 'people' ? person : `nullif(${person}, ${NOBODY_SQL[stored]})`;
  return `(SELECT ${shown} AS person${selected} FROM ${from}${where})`;
}

/** Without erased people. */
export function countedEvents(events: Events, columns: readonly string[]): string {
  const { erased, lake } = events.source;
  if (lake || erased.length > 0) return eventRelation(events, columns, 'key', 'anybody');
  return rawEvents(events, [...columns, ...events.sql.columns]);
}
