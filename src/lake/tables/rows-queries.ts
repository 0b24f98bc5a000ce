import { onlyRow } from '../../shared/assert.ts';
import type { Db } from '../../storage/postgres.ts';
import { readPages } from '../../storage/read-pages.ts';
import type { TextRow } from './write.ts';

const PAGE = 10_000;

export async function peopleState(
  db: Db,
): Promise<{ seq: number; aliases: number; erasures: string }> {
  return onlyRow(
    await db<{ seq: number; aliases: number; erasures: string }[]>`
      SELECT seq, (SELECT coalesce(sum(aliases), 0)::bigint FROM event_alias_counts) AS aliases,
        (SELECT concat(count(*), ' ', max(seq)) FROM event_erasures) || ' '
          || (SELECT concat(count(*), ' ' || nullif((SELECT count(*) FROM event_undone_imports), 0))
            FROM event_deleted_apps) AS erasures
      FROM event_catalogue WHERE id = 1`,
  );
}

export function newAliases(db: Db, seq: number): AsyncIterable<TextRow[]> {
  return readPages(
    db<TextRow[]>`
    SELECT p.app_id, p.anonymous_id, p.user_id, p.mapped_at::text AS mapped_at
    FROM event_alias_counts c JOIN event_people p ON p.app_id = c.app_id
    WHERE p.catalogued_seq > ${seq}`,
    PAGE,
  );
}

export async function stateOfErasures(db: Db): Promise<string> {
  return onlyRow(
    await db<{ state: string }[]>`
      SELECT concat(count(*), ' ', md5(string_agg(subject_hash, ' ' ORDER BY subject_hash))) AS state
      FROM event_erasures WHERE subject IS NOT NULL`,
  ).state;
}

export function pendingErasures(db: Db): AsyncIterable<TextRow[]> {
  return readPages(
    db<TextRow[]>`
    SELECT app_id, subject AS id FROM event_erasures WHERE subject IS NOT NULL`,
    PAGE,
  );
}

export async function stateOfDeletedApps(db: Db): Promise<string> {
  return onlyRow(
    await db<{ state: string }[]>`
      SELECT concat(count(*), ' ', max(deleted_at)) AS state FROM event_deleted_apps`,
  ).state;
}

export function deletedApps(db: Db): AsyncIterable<TextRow[]> {
  return readPages(
    db<TextRow[]>`
    SELECT app_id, deleted_at::text AS deleted_at FROM event_deleted_apps`,
    PAGE,
  );
}
