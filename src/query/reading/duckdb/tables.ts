import type { DuckDBConnection } from '@duckdb/node-api';
import {
  EVENT_COLUMN_NAMES,
  type EventRow,
  HOT_EVENTS,
  loadAliases,
  loadErased,
  loadRows,
} from '../../../event-store/read.ts';
import { isTraitColumn } from '../../selection/dimension.ts';
import { ROW_COLUMNS } from '../../selection/member-sql.ts';
import type { EventSource } from '../source/events.ts';
import { personColumns } from './relation.ts';

export type LogNeeds = { columns: readonly string[]; names?: readonly string[] };

async function loadHot(
  connection: DuckDBConnection,
  source: EventSource,
  { columns, names }: LogNeeds,
): Promise<void> {
  const { orgId, appId, hotRows } = source;
  // `user_id` for the derived columns.
  const ofPeople = columns.some(isTraitColumn) ? ROW_COLUMNS : [];
  const wanted = new Set([
    ...personColumns(source),
    ...['person_id', 'user_id'],
    ...[...columns, ...ofPeople],
  ]);
  const needed = EVENT_COLUMN_NAMES.filter((name) => wanted.has(name));
  const isWanted = (row: EventRow) =>
    row.appId === appId && row.orgId === orgId && (names === undefined || names.includes(row.name));
  await loadRows(connection, HOT_EVENTS, hotRows.filter(isWanted), needed);
}

export async function loadTables(
  connection: DuckDBConnection,
  source: EventSource,
  needs: LogNeeds,
): Promise<void> {
  await loadHot(connection, source, needs);
  const { appId, lateAliases, erased, erasedAs } = source;
  if (lateAliases.length > 0) {
    await loadAliases(
      connection,
      lateAliases.map((alias) => ({ ...alias, appId })),
    );
  }
  if (erased.length > 0) {
    await loadErased(
      connection,
      erased.map((id) => ({ appId, id, erasedAs: erasedAs?.get(id) })),
    );
  }
}
