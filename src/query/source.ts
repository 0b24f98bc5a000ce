import {
  columnSql,
  derivedSql,
  type EventRow,
  personKeySql,
  RESERVED_SQL,
  type SourceFile,
} from '../event-store/read.ts';
import type { EnvironmentScope } from '../shared/environment.ts';
import { instantLiteral, textList, textLiteral } from './literal.ts';

/** A Parquet file on this host; in one of level 0 other apps have rows too. */
export type EventFile = Pick<
  SourceFile,
  'path' | 'level' | 'format' | 'minOccurredAt' | 'maxOccurredAt' | 'developmentRows' | 'counts'
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
  /** Mapped after some of the files were written. */
  lateLinks: readonly { anonymousId: string; userId: string }[];
  /** Person ids and anonymous ids that were erased and may still stand in files. */
  erased: readonly string[];
  /** Everything received before this time is in the source; milliseconds since 1970. */
  dataThroughMs: number;
};

/** Tables that a connection holds for one query. */
export const HOT_TABLE = 'hot_events';
export const LINKS_TABLE = 'late_links';
export const ERASED_TABLE = 'erased_people';

export type Conditions = {
  /** Only events of these names. */
  names?: readonly string[];
  /** Without the events that the service writes itself. */
  ofClients?: boolean;
  /** Further condition on the columns of event files. */
  where?: string;
  /** occurred_at in [fromUs, beforeUs). */
  fromUs?: number;
  beforeUs?: number;
};

export type Selection = Conditions & {
  /** Extra columns of the event files beside `person`. */
  columns: readonly string[];
};

/** Whether all rows of the app in a file occurred in the window of the selection. */
export function isInside(
  { minOccurredAt, maxOccurredAt }: EventFile,
  { fromUs = -Infinity, beforeUs = Infinity }: Conditions,
): boolean {
  return minOccurredAt.getTime() * 1_000 >= fromUs && maxOccurredAt.getTime() * 1_000 <= beforeUs;
}

function windowConditions({ fromUs, beforeUs }: Conditions): string[] {
  return [
    ...(fromUs === undefined ? [] : [`occurred_at >= ${instantLiteral(fromUs)}`]),
    ...(beforeUs === undefined ? [] : [`occurred_at < ${instantLiteral(beforeUs)}`]),
  ];
}

/** What rows have to be asked of which nothing is known but the app. */
function rowConditions(selection: Conditions): string[] {
  const { names, where, ofClients } = selection;
  return [
    ...windowConditions(selection),
    ...(ofClients ? [`NOT ${RESERVED_SQL}`] : []),
    ...(names ? [`name IN (${textList(names)})`] : []),
    ...(where ? [where] : []),
  ];
}

const hasAny = ({ environment }: EventSource, file: EventFile): boolean =>
  environment !== 'development' || file.developmentRows > 0;

/** Null where all rows of the app in the file are asked for. */
function environmentCondition({ environment }: EventSource, file: EventFile): string | null {
  if (environment === 'all' || file.developmentRows === 0) return null;
  return `environment = ${textLiteral(environment)}`;
}

/** Whether the catalogue's counts of a file, which are of production, are what is asked for. */
export function isCounted({ environment }: EventSource, file: EventFile): boolean {
  return environment === 'production' || (environment === 'all' && file.developmentRows === 0);
}

/** What a file's rows have to be asked; each condition costs a column, so none without need. */
function fileConditions(source: EventSource, file: EventFile, selection: Conditions): string[] {
  const { fromUs: _from, beforeUs: _before, ...anyTime } = selection;
  const asked = isInside(file, selection) ? anyTime : selection;
  const ofClients = selection.ofClients === true && file.counts?.reserved !== 0;
  const environment = environmentCondition(source, file);
  return [
    ...(file.level === 0
      ? [`app_id = ${textLiteral(source.appId)}`, `org_id = ${textLiteral(source.orgId)}`]
      : []),
    ...(environment ? [environment] : []),
    ...rowConditions({ ...asked, ofClients }),
  ];
}

type Person = 'id' | 'key';

/** What makes up the person of an event, in this query. */
export function personColumns({ lateLinks, erased }: EventSource, person: Person = 'id'): string[] {
  if (erased.length > 0) return ['person_id', 'is_anonymous', 'anonymous_id'];
  return [
    person === 'id' ? 'person_id' : 'person_key',
    ...(lateLinks.length > 0 ? ['is_anonymous'] : []),
  ];
}

function selectSql(columns: readonly string[], from: string, where: string): string {
  return `SELECT ${columns.join(', ')} FROM ${from}${where && ` WHERE ${where}`}`;
}

/** Files of which the same is asked are read together. */
function fileParts(source: EventSource, columns: readonly string[], selection: Conditions) {
  const files = source.files.filter((file) => hasAny(source, file));
  const askedAlike = Map.groupBy(files, (file) =>
    fileConditions(source, file, selection).join(' AND '),
  );
  return [...askedAlike].flatMap(([where, files]) => {
    const readAlike = Map.groupBy(files, ({ format }) =>
      columns.map((column) => columnSql(column, format)).join(', '),
    );
    return [...readAlike].map(([selected, alike]) => {
      const paths = textList(alike.map(({ path }) => path));
      const from = `read_parquet([${paths}], hive_partitioning = false)`;
      return selectSql([selected], from, where);
    });
  });
}

/**
 * These columns of the events of files and log, with `person_id` as it was known when each was
 * written; no person is stitched or left out yet.
 */
export function rawEvents(
  source: EventSource,
  columns: readonly string[],
  selection: Conditions,
): string {
  const ofLog = rowConditions(selection).join(' AND ');
  const parts = [
    ...fileParts(source, columns, selection),
    selectSql(columns.map(derivedSql), HOT_TABLE, ofLog),
  ];
  return `(${parts.join(' UNION ALL ')})`;
}

const LINKS: Record<Person, string> = {
  id: `(SELECT anonymous_id AS device, user_id AS user FROM ${LINKS_TABLE})`,
  key: `(SELECT ${personKeySql('anonymous_id')} AS device, ${personKeySql('user_id')} AS user
    FROM ${LINKS_TABLE})`,
};

/**
 * Joins late mappings to `rows`, which have `is_anonymous` and the person known when they were
 * written; the person is then `resolved`. What is joined on is null for events that name their
 * user: a condition that is not one equality would compare all rows with all links.
 */
export function withLateLinks(rows: string, person: Person): { from: string; resolved: string } {
  const known = `e.person_${person}`;
  return {
    from: `${rows} e LEFT JOIN ${LINKS[person]} l
      ON (CASE WHEN e.is_anonymous THEN ${known} END) = l.device`,
    resolved: `coalesce(l.user, ${known})`,
  };
}

/**
 * A subquery with the column `person` and those asked for. Files hold the person that was known
 * when they were written; ids mapped later are joined, and erased people left out, only where there
 * are any. With `person: 'key'` a person is something that merely tells people apart.
 */
export function eventRelation(
  source: EventSource,
  selection: Selection,
  person: Person = 'id',
): string {
  const isErased = source.erased.length > 0;
  const columns = [...new Set([...personColumns(source, person), ...selection.columns])];
  const events = rawEvents(source, columns, selection);
  const kept = selection.columns.map((column) => `, e.${column}`).join('');
  const known = isErased ? 'id' : person;
  const { from, resolved } =
    source.lateLinks.length > 0
      ? withLateLinks(events, known)
      : { from: `${events} e`, resolved: `e.person_${known}` };
  const erased = isErased
    ? ` WHERE ${resolved} NOT IN (SELECT id FROM ${ERASED_TABLE})` +
      ` AND (NOT e.is_anonymous OR e.anonymous_id NOT IN (SELECT id FROM ${ERASED_TABLE}))`
    : '';
  return `(SELECT ${resolved} AS person${kept} FROM ${from}${erased})`;
}
