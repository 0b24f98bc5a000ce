import { DAY_MS, toIso } from '../../../shared/time.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import type { Rejection } from '../intake/rejections.ts';
import type { IngestionHour, RejectedBatches } from '../model.ts';
import type { IngestionCount } from './counts.ts';

export async function addIngestion(tx: Tx, counts: readonly IngestionCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx`
    INSERT INTO event_ingestion_hours AS h
      (app_id, org_id, hour, accepted, duplicates, shifted, without_ts, too_old)
    SELECT * FROM unnest(
      ${counts.map((count) => count.appId)}::text[],
      ${counts.map((count) => count.orgId)}::text[],
      ${counts.map((count) => toIso(new Date(count.hourMs)))}::timestamptz[],
      ${counts.map((count) => count.accepted)}::bigint[],
      ${counts.map((count) => count.duplicates)}::bigint[],
      ${counts.map((count) => count.shifted)}::bigint[],
      ${counts.map((count) => count.withoutTs)}::bigint[],
      ${counts.map((count) => count.tooOld)}::bigint[])
    ON CONFLICT (app_id, hour) DO UPDATE SET
      accepted = h.accepted + excluded.accepted,
      duplicates = h.duplicates + excluded.duplicates,
      shifted = h.shifted + excluded.shifted,
      without_ts = h.without_ts + excluded.without_ts,
      too_old = h.too_old + excluded.too_old`;
}

export async function addRejections(db: Db, rejections: readonly Rejection[]): Promise<void> {
  await db`
    INSERT INTO event_rejections AS r
      (app_id, org_id, hour, reason, batches, last_at, last_example)
    SELECT * FROM unnest(
      ${rejections.map((one) => one.appId)}::text[],
      ${rejections.map((one) => one.orgId)}::text[],
      ${rejections.map((one) => toIso(new Date(one.hourMs)))}::timestamptz[],
      ${rejections.map((one) => one.reason)}::text[],
      ${rejections.map((one) => one.batches)}::bigint[],
      ${rejections.map((one) => toIso(new Date(one.lastAtMs)))}::timestamptz[],
      ${rejections.map((one) => one.lastExample)}::text[])
    ON CONFLICT (app_id, hour, reason) DO UPDATE SET
      batches = r.batches + excluded.batches,
      last_at = greatest(r.last_at, excluded.last_at),
      last_example = excluded.last_example`;
}

/** Events accepted on the UTC day that starts at `dayMs`, by app, as far as they are compacted. */
export async function countedToday(
  db: Db,
  appIds: readonly string[],
  dayMs: number,
): Promise<Map<string, number>> {
  const rows = await db<{ app_id: string; accepted: number }[]>`
    SELECT app_id, sum(accepted)::bigint AS accepted FROM event_ingestion_hours
    WHERE app_id = ANY(${[...appIds]})
      AND hour >= ${new Date(dayMs)} AND hour < ${new Date(dayMs + DAY_MS)}
    GROUP BY app_id`;
  return new Map(rows.map((row) => [row.app_id, row.accepted]));
}

type AppScope = { orgId: string; appId: string };

/** Hours with anything in them, the oldest first; compacted events and batches turned away. */
export async function selectIngestionHours(
  db: Db,
  { orgId, appId }: AppScope,
  since: Date,
): Promise<IngestionHour[]> {
  const rows = await db<(Omit<IngestionHour, 'hour'> & { hour: Date })[]>`
    WITH counted AS (
      SELECT hour, accepted, duplicates, shifted + without_ts + too_old AS corrected
      FROM event_ingestion_hours
      WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
    ), turned_away AS (
      SELECT hour, sum(batches)::bigint AS batches FROM event_rejections
      WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
      GROUP BY hour
    )
    SELECT hour, coalesce(accepted, 0) AS accepted, coalesce(duplicates, 0) AS duplicates,
      coalesce(corrected, 0) AS "timeCorrected", coalesce(batches, 0) AS rejected
    FROM counted FULL JOIN turned_away USING (hour) ORDER BY hour`;
  return rows.map((row) => ({ ...row, hour: toIso(row.hour) }));
}

/** Batches turned away, by reason, the reason seen last first. */
export async function selectRejections(
  db: Db,
  { orgId, appId }: AppScope,
  since: Date,
): Promise<RejectedBatches[]> {
  const rows = await db<(Omit<RejectedBatches, 'lastAt'> & { lastAt: Date })[]>`
    SELECT reason, sum(batches)::bigint AS batches, max(last_at) AS "lastAt",
      (array_agg(last_example ORDER BY last_at DESC))[1] AS "lastExample"
    FROM event_rejections
    WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
    GROUP BY reason ORDER BY max(last_at) DESC, reason`;
  return rows.map((row) => ({ ...row, lastAt: toIso(row.lastAt) }));
}
