import type { RangeCounts } from '../modules/events/catalogue/range-counts.ts';
import {
  DERIVED_COLUMNS,
  EVENT_FILE_FORMAT,
  type EventRow,
  RESERVED_SQL,
} from '../modules/events/columns.ts';
import { instantLiteral, textList, textLiteral } from './literal.ts';

/** A Parquet file on this host. */
export type EventFile = {
  path: string;
  /** 0: other apps have rows in it too. */
  level: number;
  format: number;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  counts: RangeCounts | null;
};

/** Everything that one query reads of one app: a consistent snapshot of catalogue and log. */
export type EventSource = {
  orgId: string;
  appId: string;
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

function contentConditions({ names, where }: Conditions): string[] {
  return [...(names ? [`name IN (${textList(names)})`] : []), ...(where ? [where] : [])];
}

const CLIENTS_SQL = `NOT ${RESERVED_SQL}`;

/** What a file's rows have to be asked; each condition costs a column, so none without need. */
function fileConditions(source: EventSource, file: EventFile, selection: Conditions): string[] {
  const isShared = file.level === 0;
  const hasReserved = file.counts === null || file.counts.reserved > 0;
  return [
    ...(isShared
      ? [`app_id = ${textLiteral(source.appId)}`, `org_id = ${textLiteral(source.orgId)}`]
      : []),
    ...(isInside(file, selection) ? [] : windowConditions(selection)),
    ...(selection.ofClients && hasReserved ? [CLIENTS_SQL] : []),
    ...contentConditions(selection),
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

const DERIVED = new Map<string, string>(Object.entries(DERIVED_COLUMNS));

/** The column where it is not stored. */
function derived(column: string): string {
  const sql = DERIVED.get(column);
  return sql ? `${sql} AS ${column}` : column;
}

function selectSql(columns: readonly string[], from: string, where: string): string {
  return `SELECT ${columns.join(', ')} FROM ${from}${where && ` WHERE ${where}`}`;
}

/** Files of which the same is asked are read together. */
function fileParts(source: EventSource, columns: readonly string[], selection: Conditions) {
  const askedAlike = Map.groupBy(source.files, (file) =>
    fileConditions(source, file, selection).join(' AND '),
  );
  return [...askedAlike].flatMap(([where, files]) => {
    const ofFormat = Map.groupBy(files, (file) => file.format >= EVENT_FILE_FORMAT);
    return [...ofFormat].map(([hasKey, alike]) => {
      const paths = textList(alike.map(({ path }) => path));
      const from = `read_parquet([${paths}], hive_partitioning = false)`;
      return selectSql(hasKey ? columns : columns.map(derived), from, where);
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
  const ofLog = [
    ...windowConditions(selection),
    ...(selection.ofClients ? [CLIENTS_SQL] : []),
    ...contentConditions(selection),
  ];
  const parts = [
    ...fileParts(source, columns, selection),
    selectSql(columns.map(derived), HOT_TABLE, ofLog.join(' AND ')),
  ];
  return `(${parts.join(' UNION ALL ')})`;
}

/** Late mappings from device to user, both as the `person_key` of their ids. */
export const LINKED_KEYS = `(SELECT md5(anonymous_id)::UUID AS device, md5(user_id)::UUID AS user
  FROM ${LINKS_TABLE})`;
const LINKED_IDS = `(SELECT anonymous_id AS device, user_id AS user FROM ${LINKS_TABLE})`;

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
  const [known, links] =
    person === 'id' || isErased ? ['e.person_id', LINKED_IDS] : ['e.person_key', LINKED_KEYS];
  const isLate = source.lateLinks.length > 0;
  const resolved = isLate ? `coalesce(l.user, ${known})` : known;
  // The key is null for events that name their user, so that only the others can be mapped.
  const join = isLate
    ? ` LEFT JOIN ${links} l ON (CASE WHEN e.is_anonymous THEN ${known} END) = l.device`
    : '';
  const erased = isErased
    ? ` WHERE ${resolved} NOT IN (SELECT id FROM ${ERASED_TABLE})` +
      ` AND (NOT e.is_anonymous OR e.anonymous_id NOT IN (SELECT id FROM ${ERASED_TABLE}))`
    : '';
  return `(SELECT ${resolved} AS person${kept} FROM ${events} e${join}${erased})`;
}
