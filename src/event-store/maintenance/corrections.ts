import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENT_COLUMN_NAMES } from '../event/columns.ts';
import { idKey } from '../event/person.ts';
import { eventFilesSql, type ReadableFile } from '../parquet/read-files.ts';
import {
  createTextTable,
  DELETED_APPS,
  DEVICE_SQL,
  KEPT_SINCE,
  loadAliases,
  loadErased,
  notErasedSql,
  withAliases,
} from '../parquet/tables.ts';
import type { Corrections } from './queries.ts';

export async function loadCorrections(
  connection: DuckDBConnection,
  { aliases, erased, deletedApps, keptSince }: Corrections,
): Promise<void> {
  await loadAliases(connection, aliases);
  await loadErased(connection, erased);
  await createTextTable(connection, DELETED_APPS, { app_id: (appId) => appId }, deletedApps);
  await createTextTable(
    connection,
    KEPT_SINCE,
    { app_id: ({ appId }) => appId, since: ({ since }) => since.toISOString() },
    keptSince,
  );
}

/** An empty table costs per row too. */
function correctionSql(files: readonly ReadableFile[], corrections: Corrections) {
  const rows = eventFilesSql(files);
  const { from, person } =
    corrections.aliases.length > 0
      ? withAliases(rows, { device: DEVICE_SQL, person: 'e.person_id', as: 'id', apps: 'many' })
      : { from: `${rows} e`, person: 'e.person_id' };
  const kept: string[] = [];
  if (corrections.deletedApps.length > 0) {
    kept.push(`e.app_id NOT IN (SELECT app_id FROM ${DELETED_APPS})`);
  }
  if (corrections.erased.length > 0) kept.push(notErasedSql(person));
  if (corrections.keptSince.length > 0) {
    kept.push(`NOT EXISTS (FROM ${KEPT_SINCE} k
      WHERE k.app_id = e.app_id AND e.occurred_at < k.since::TIMESTAMPTZ)`);
  }
  return { from, person, kept: kept.length > 0 ? kept.join(' AND ') : 'true' };
}

export function correctedSql(files: readonly ReadableFile[], corrections: Corrections): string {
  const { from, person, kept } = correctionSql(files, corrections);
  const columns = EVENT_COLUMN_NAMES.map((name) =>
    name === 'person_id' ? `${person} AS person_id` : `e.${name}`,
  );
  return `(SELECT ${columns.join(', ')} FROM ${from} WHERE ${kept})`;
}

/** With those aliases only that decide which rows are removed. */
export function ofErased(corrections: Corrections): Corrections {
  const erased = new Set(corrections.erased.map(({ appId, id }) => idKey(appId, id)));
  const aliases = corrections.aliases.filter(({ appId, anonymousId, userId }) =>
    [anonymousId, userId].some((id) => erased.has(idKey(appId, id))),
  );
  return { ...corrections, aliases };
}

export function countAffectedSql(
  files: readonly ReadableFile[],
  corrections: Corrections,
  what: 'any' | 'removed',
): string {
  const { from, person, kept } = correctionSql(files, corrections);
  const isLate = what === 'any' ? `${person} <> e.person_id OR` : '';
  return `SELECT count(*)::DOUBLE AS affected FROM ${from} WHERE ${isLate} NOT (${kept})`;
}
