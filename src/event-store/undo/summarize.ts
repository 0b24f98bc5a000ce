import { onlyRow } from '../../shared/assert.ts';
import { textOrNull } from '../../shared/text.ts';
import type { Db } from '../../storage/postgres.ts';
import type { AppAlias, NewAlias } from '../event/person.ts';
import type { EventFile } from '../file/event-file.ts';
import type { EventImport } from '../imports/queries.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { knownPeople } from '../people/known.ts';
import { erasedHashes } from '../people/queries.ts';
import { selectAliasesOfImport } from './queries.ts';
import { keptSql, NAMING_SQL, namesSql, totalsSql } from './rows-sql.ts';

export type UndoneImport = {
  events: number;
  people: number;
  /** Imported events that the app or another import brought too. */
  kept: number;
  /** Devices that only the import joined to their user. */
  parted: number;
  firstAt: string | null;
  lastAt: string | null;
  names: { name: string; events: number }[];
};

async function selectRows(
  { connection }: Compactor,
  sql: string,
): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjects();
}

export async function remainingAliases(
  compactor: Compactor,
  db: Db,
  of: EventImport,
): Promise<{ made: AppAlias[]; remaining: NewAlias[] }> {
  const { orgId, appId } = of;
  const made = await selectAliasesOfImport(db, of);
  const erased = await erasedHashes(db, [appId]);
  const { isErased } = knownPeople({ aliases: [], erased, deleted: new Set() });
  const wanted = new Set(made.map(({ anonymousId }) => anonymousId));
  const remaining = new Map<string, NewAlias>();
  for (const row of await selectRows(compactor, NAMING_SQL)) {
    const [anonymousId, userId] = [String(row.anonymous_id), String(row.user_id)];
    if (!wanted.has(anonymousId) || remaining.has(anonymousId)) continue;
    if (isErased(appId, anonymousId, 'device') || isErased(appId, userId, 'person')) continue;
    const mappedAtMs = Number(row.received_ms);
    remaining.set(anonymousId, { orgId, appId, anonymousId, userId, mappedAtMs });
  }
  return { made, remaining: [...remaining.values()] };
}

const isoOrNull = (ms: unknown) => (ms === null ? null : new Date(Number(ms)).toISOString());

export async function summarizeUndo(
  compactor: Compactor,
  of: EventImport,
  files: readonly EventFile[],
): Promise<UndoneImport> {
  const ids = files.map(({ fileId }) => fileId);
  const total = onlyRow(await selectRows(compactor, totalsSql(ids)));
  const { made, remaining } = await remainingAliases(compactor, compactor.sql, of);
  const userOf = new Map(remaining.map(({ anonymousId, userId }) => [anonymousId, userId]));
  return {
    events: Number(total.events),
    people: Number(total.people),
    kept: (await selectRows(compactor, keptSql(ids))).length,
    parted: made.filter(({ anonymousId, userId }) => userOf.get(anonymousId) !== userId).length,
    firstAt: isoOrNull(total.first_ms),
    lastAt: isoOrNull(total.last_ms),
    names: (await selectRows(compactor, namesSql(ids))).map((row) => ({
      name: String(row.name),
      events: Number(row.events),
    })),
  };
}

export async function keptIdentities(compactor: Compactor, fileIds: readonly string[]) {
  return (await selectRows(compactor, keptSql(fileIds))).map((row) => ({
    key: String(row.key),
    receivedAtUs: Number(row.received_us),
    clientTs: textOrNull(row.client_ts),
    occurredAtUs: Number(row.occurred_us),
    timeFlag: textOrNull(row.time_flag),
  }));
}
