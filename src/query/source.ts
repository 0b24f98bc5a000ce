import type { EventRow } from '../modules/events/columns.ts';
import { instantLiteral, textList, textLiteral } from './literal.ts';

/** Everything that one query reads of one app: a consistent snapshot of catalogue and log. */
export type EventSource = {
  orgId: string;
  appId: string;
  /** Parquet files, paths on this host. */
  files: readonly string[];
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

export type Selection = {
  /** Extra columns of the event files beside `person`. */
  columns: readonly string[];
  /** Only events of these names. */
  names?: readonly string[];
  /** Further condition on the columns of event files. */
  where?: string;
  /** occurred_at in [fromUs, beforeUs). */
  fromUs?: number;
  beforeUs?: number;
};

function conditions(selection: Selection): string[] {
  const all: string[] = [];
  if (selection.names) all.push(`name IN (${textList(selection.names)})`);
  if (selection.fromUs !== undefined) {
    all.push(`occurred_at >= ${instantLiteral(selection.fromUs)}`);
  }
  if (selection.beforeUs !== undefined) {
    all.push(`occurred_at < ${instantLiteral(selection.beforeUs)}`);
  }
  if (selection.where) all.push(selection.where);
  return all;
}

/** What makes up the person of an event, in this query. */
export function personColumns({ lateLinks, erased }: EventSource): string[] {
  if (erased.length > 0) return ['person_id', 'user_id', 'anonymous_id'];
  return lateLinks.length > 0 ? ['person_id', 'user_id'] : ['person_id'];
}

/**
 * The events of files and log with `person_id` as it was known when each was written; no person is
 * stitched or left out yet.
 */
export function rawEvents(source: EventSource, selection: Selection): string {
  return `(${unionSql(source, selection)})`;
}

/** Files hold several apps, the table of the log this one only. */
function unionSql(source: EventSource, selection: Selection): string {
  const columns = [...new Set([...personColumns(source), ...selection.columns])].join(', ');
  const wanted = conditions(selection);
  const ofApp = [`app_id = ${textLiteral(source.appId)}`, `org_id = ${textLiteral(source.orgId)}`];
  const files = `read_parquet([${textList(source.files)}], hive_partitioning = false)`;
  const fromFiles = `SELECT ${columns} FROM ${files} WHERE ${[...ofApp, ...wanted].join(' AND ')}`;
  const where = wanted.length > 0 ? ` WHERE ${wanted.join(' AND ')}` : '';
  const fromLog = `SELECT ${columns} FROM ${HOT_TABLE}${where}`;
  return source.files.length > 0 ? `${fromFiles} UNION ALL ${fromLog}` : fromLog;
}

/**
 * A subquery with the column `person` and those asked for. Files hold the person that was known
 * when they were written; ids mapped later are joined, and erased people left out, only where there
 * are any.
 */
export function eventRelation(source: EventSource, selection: Selection): string {
  const isLate = source.lateLinks.length > 0;
  const isErased = source.erased.length > 0;
  const events = rawEvents(source, selection);
  const kept = selection.columns.map((column) => `, e.${column}`).join('');
  const person = isLate ? 'coalesce(l.user_id, e.person_id)' : 'e.person_id';
  // The key is null for events that name their user, so that only the others can be mapped.
  const join = isLate
    ? ` LEFT JOIN ${LINKS_TABLE} l ON (CASE WHEN e.user_id IS NULL THEN e.person_id END) = l.anonymous_id`
    : '';
  const erased = isErased
    ? ` WHERE ${person} NOT IN (SELECT id FROM ${ERASED_TABLE})` +
      ` AND (e.user_id IS NOT NULL OR e.anonymous_id NOT IN (SELECT id FROM ${ERASED_TABLE}))`
    : '';
  return `(SELECT ${person} AS person${kept} FROM ${events} e${join}${erased})`;
}
