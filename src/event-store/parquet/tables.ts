import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { NOBODY_SQL, personKeySql } from '../event/columns.ts';
import type { Alias, ErasedId } from '../event/person.ts';
import { appendItems } from './engine.ts';

export const HOT_EVENTS = 'hot_events';
export const SHARED_EVENTS = 'shared_events';
export const SPLIT_ROWS = 'split_rows';
export const DELETED_APPS = 'deleted_apps';
export const KEPT_SINCE = 'kept_since';
export const BATCHES = 'part_batches';
export const ACTORS = 'part_actors';
export const NAMES = 'part_names';
export const EVENTS = 'part_events';
export const REBUILT_COVERED = 'rebuilt_covered';
export const REBUILT_PEOPLE = 'rebuilt_people';
export const REBUILT_WAITING = 'rebuilt_waiting';
export const UNDONE_CHUNKS = 'undone_chunks';
export const UNDONE_ADOPTED = 'undone_adopted';
export const UNDONE_REPEATS = 'undone_repeats';
export const UNDONE_DEVICES = 'undone_devices';
export const UNDONE_ROWS = 'undone_rows';
export const UNDONE_KEPT = 'undone_kept';
export const UNDONE_NAMING = 'undone_naming';
const LATE_ALIASES = 'late_aliases';
const ERASED_PEOPLE = 'erased_people';

export async function createTextTable<T>(
  connection: DuckDBConnection,
  table: string,
  columns: Record<string, (item: T) => string>,
  items: readonly T[],
): Promise<void> {
  const names = Object.keys(columns).map((name) => `${name} VARCHAR`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${names.join(', ')})`);
  const appended = Object.values(columns).map((of) => ({ type: VARCHAR, of }));
  if (items.length > 0) await appendItems(connection, table, appended, items);
}

const toAppId = ({ appId }: { appId: string }) => appId;

export const loadAliases = (connection: DuckDBConnection, aliases: readonly Alias[]) =>
  createTextTable(
    connection,
    LATE_ALIASES,
    {
      app_id: toAppId,
      anonymous_id: ({ anonymousId }) => anonymousId,
      user_id: ({ userId }) => userId,
    },
    aliases,
  );

const NO_ID = '\u0001';

export const loadErased = (connection: DuckDBConnection, erased: readonly ErasedId[]) =>
  createTextTable(
    connection,
    ERASED_PEOPLE,
    {
      app_id: toAppId,
      id: ({ id, erasedAs }) => (erasedAs === 'device' ? NO_ID : id),
      device: ({ id, erasedAs }) => (erasedAs === 'person' ? NO_ID : id),
    },
    erased,
  );

export const DEVICE_SQL = `CASE WHEN e.user_id IS NULL AND e.person_id <> ${NOBODY_SQL.id}
  THEN e.anonymous_id END`;

export type Stitching = {
  device: string;
  /** As of writing. */
  person: string;
  /** Ids or their hashes. */
  as: 'id' | 'key';
  apps: 'one' | 'many';
};

const ALIAS_SQL = {
  id: `(SELECT app_id, anonymous_id AS device, user_id AS user FROM ${LATE_ALIASES})`,
  key: `(SELECT app_id, ${personKeySql('anonymous_id')} AS device,
    ${personKeySql('user_id')} AS user FROM ${LATE_ALIASES})`,
};

/** One equality only: other conditions make DuckDB compare all pairs. */
export function withAliases(
  rows: string,
  { device, person, as, apps }: Stitching,
): { from: string; person: string } {
  const ofApp = apps === 'many' ? ' AND l.app_id = e.app_id' : '';
  return {
    from: `${rows} e LEFT JOIN ${ALIAS_SQL[as]} l ON (${device}) = l.device${ofApp}`,
    person: `coalesce(l.user, ${person})`,
  };
}

export function notErasedSql(person: string): string {
  return `NOT EXISTS (FROM ${ERASED_PEOPLE} p WHERE p.app_id = e.app_id
    AND (p.id = ${person} OR p.device = ${DEVICE_SQL}))`;
}

/** One app's rows with `is_anonymous`: two set lookups instead of a join. */
export function notErasedInAppSql(person: string): string {
  return `${person} NOT IN (SELECT id FROM ${ERASED_PEOPLE}) AND (NOT e.is_anonymous
    OR e.anonymous_id NOT IN (SELECT device FROM ${ERASED_PEOPLE}))`;
}
