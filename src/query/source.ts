import {
  type AppAlias,
  columnSql,
  derivedSql,
  type EventRow,
  HOT_EVENTS,
  isReserved,
  notErasedInAppSql,
  RESERVED_SQL,
  type SnapshotFile,
  withAliases,
} from '../event-store/read.ts';
import type { EnvironmentScope } from '../shared/environment.ts';
import { instantLiteral, textList, textLiteral } from '../storage/duckdb-literal.ts';
import { hasAny, isInside } from './file-facts.ts';
import { filterSql } from './selection/filters.ts';
import { type EventSelection, selectedColumns } from './selection/selection.ts';

/** A Parquet file on this host; in one of level 0 other apps have rows too. */
export type EventFile = Pick<
  SnapshotFile,
  | 'path'
  | 'level'
  | 'format'
  | 'rows'
  | 'minOccurredAt'
  | 'maxOccurredAt'
  | 'developmentRows'
  | 'counts'
  | 'projection'
>;

/** Everything that one query reads of one app: a consistent snapshot of catalogue and log. */
export type EventSource = {
  orgId: string;
  appId: string;
  /** Files may hold other rows too, which conditions leave out; `hotRows` do not. */
  environment: EnvironmentScope;
  files: readonly EventFile[];
  /** Deduplicated events of this host that are in no file yet. */
  hotRows: readonly EventRow[];
  /** Aliases made after some of the files were written. */
  lateAliases: readonly AppAlias[];
  /** The anonymous id of a late alias may be a user's id too, so that a person does not tell a device. */
  sharesIds: boolean;
  /** Erased person ids and anonymous ids whose rows files may still hold. */
  erased: readonly string[];
  /** Everything received before this time is in the source; milliseconds since 1970. */
  dataThroughMs: number;
};

function windowConditions({ fromUs, beforeUs }: EventSelection): string[] {
  return [
    ...(fromUs === undefined ? [] : [`occurred_at >= ${instantLiteral(fromUs)}`]),
    ...(beforeUs === undefined ? [] : [`occurred_at < ${instantLiteral(beforeUs)}`]),
  ];
}

/** Predicates for rows without file statistics. */
function rowConditions(selection: EventSelection): string[] {
  const { names, ofClients, filters = {}, personIds } = selection;
  const { condition } = filterSql(filters);
  return [
    ...windowConditions(selection),
    ...(ofClients ? [`NOT ${RESERVED_SQL}`] : []),
    ...(names ? [`name IN (${textList(names)})`] : []),
    ...(condition === null ? [] : [condition]),
    // Files are sorted by person, so most row groups are skipped.
    ...(personIds ? [`person_id IN (${textList(personIds)})`] : []),
  ];
}

/** Null where the environment excludes no row of the file. */
function environmentCondition({ environment }: EventSource, file: EventFile): string | null {
  if (environment === 'all' || file.developmentRows === 0) return null;
  return `environment = ${textLiteral(environment)}`;
}

/** Predicates not already implied by the file's metadata; each one costs reading a column. */
function fileConditions(source: EventSource, file: EventFile, selection: EventSelection): string[] {
  const { fromUs: _from, beforeUs: _before, ...anyTime } = selection;
  const open = isInside(file, selection) ? anyTime : selection;
  const ofClients = selection.ofClients === true && file.counts?.reserved !== 0;
  const environment = environmentCondition(source, file);
  return [
    ...(file.level === 0
      ? [`app_id = ${textLiteral(source.appId)}`, `org_id = ${textLiteral(source.orgId)}`]
      : []),
    ...(environment ? [environment] : []),
    ...rowConditions({ ...open, ofClients }),
  ];
}

type Person = 'id' | 'key';

/** The columns from which a query derives the person of an event. */
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

/** One SELECT for each group of files with identical predicates and columns. */
function fileParts(source: EventSource, columns: readonly string[], selection: EventSelection) {
  const files = source.files.filter((file) => hasAny(source, file));
  const wanted = [...new Set(columns)];
  const byPredicate = Map.groupBy(files, (file) =>
    fileConditions(source, file, selection).join(' AND '),
  );
  return [...byPredicate].flatMap(([where, filtered]) => {
    const byColumns = Map.groupBy(filtered, ({ format }) =>
      wanted.map((column) => columnSql(column, format)).join(', '),
    );
    return [...byColumns].map(([selected, alike]) => {
      const paths = textList(alike.map(({ path }) => path));
      const from = `read_parquet([${paths}], hive_partitioning = false)`;
      return selectSql([selected], from, where);
    });
  });
}

/** Columns of the events of files alone; null without files. */
export function fileEvents(
  source: EventSource,
  columns: readonly string[],
  selection: EventSelection,
): string | null {
  const parts = fileParts(source, columns, selection);
  return parts.length === 0 ? null : `(${parts.join(' UNION ALL ')})`;
}

/** The log's rows of the app by names and times; filters and person ids are for SQL. */
export function hotRowsOf(
  { appId, orgId, hotRows }: EventSource,
  { names, ofClients, fromUs = -Infinity, beforeUs = Infinity }: EventSelection,
): EventRow[] {
  return hotRows.filter(
    (row) =>
      row.appId === appId &&
      row.orgId === orgId &&
      row.occurredAtUs >= fromUs &&
      row.occurredAtUs < beforeUs &&
      (names === undefined || names.includes(row.name)) &&
      !(ofClients === true && isReserved(row.name)),
  );
}

/**
 * Columns of the events of files and log, with `person_id` as known when each was written; before
 * aliases and erasures.
 */
export function rawEvents(
  source: EventSource,
  columns: readonly string[],
  selection: EventSelection,
): string {
  const ofLog = rowConditions(selection).join(' AND ');
  const parts = [
    ...fileParts(source, columns, selection),
    selectSql([...new Set(columns)].map(derivedSql), HOT_EVENTS, ofLog),
  ];
  return `(${parts.join(' UNION ALL ')})`;
}

/**
 * Joins late aliases to rows with `is_anonymous` and the person as known when they were written: of
 * a row that nobody's alias has reached that is its device, which costs no further column.
 */
export function withLateAliases(
  rows: string,
  as: Person,
  sharesIds = false,
): { from: string; person: string } {
  const person = `e.person_${as}`;
  const device = `CASE WHEN e.is_anonymous THEN ${sharesIds ? 'e.anonymous_id' : person} END`;
  return withAliases(rows, { device, person, as, apps: 'one' });
}

/**
 * A subquery with `person`, these columns and those of filters and breakdown. Late aliases are joined
 * and erased people left out only where there are any. As a `key` a person is merely told apart.
 */
export function eventRelation(
  source: EventSource,
  selection: EventSelection,
  columns: readonly string[],
  as: Person = 'id',
): string {
  const hasErased = source.erased.length > 0;
  const wanted = [...new Set([...columns, ...selectedColumns(selection)])];
  const events = rawEvents(source, [...personColumns(source, as), ...wanted], selection);
  const selected = wanted.map((column) => `, e.${column}`).join('');
  const stored = hasErased || source.sharesIds ? 'id' : as;
  const { from, person } =
    source.lateAliases.length > 0
      ? withLateAliases(events, stored, source.sharesIds)
      : { from: `${events} e`, person: `e.person_${stored}` };
  const where = hasErased ? ` WHERE ${notErasedInAppSql(person)}` : '';
  return `(SELECT ${person} AS person${selected} FROM ${from}${where})`;
}

/** Events whose person does not matter, but where erased people have to be left out. */
export function countedEvents(
  source: EventSource,
  selection: EventSelection,
  columns: readonly string[],
): string {
  if (source.erased.length > 0) return eventRelation(source, selection, columns, 'key');
  return rawEvents(source, [...columns, ...selectedColumns(selection)], selection);
}
