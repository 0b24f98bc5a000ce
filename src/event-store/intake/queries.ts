import { type EnvironmentScope, isInScope } from '../../shared/environment.ts';
import { DAY_MS, toIso } from '../../shared/time.ts';
import { type Db, type Tx, done } from '../../storage/postgres.ts';
import { ofApp, type PersonIds, type PersonPlace } from '../../storage/stored-rows.ts';
import { subjectHash } from '../event/person.ts';
import type { IngestionCount } from './counts.ts';
import { IGNORED_ID, type IngestionHour, type RejectedBatches } from './model.ts';
import { DEVELOPMENT_REASON, type Rejection } from './rejections.ts';

export async function addIngestion(tx: Tx, counts: readonly IngestionCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx`
    INSERT INTO event_ingestion_hours AS h
      (app_id, org_id, hour, accepted, duplicates, shifted, without_ts, too_old,
        development_accepted, development_duplicates, development_corrected)
    SELECT n.* FROM unnest(
      ${counts.map((count) => count.appId)}::text[],
      ${counts.map((count) => count.orgId)}::text[],
      ${counts.map((count) => toIso(new Date(count.hourMs)))}::timestamptz[],
      ${counts.map((count) => count.accepted)}::bigint[],
      ${counts.map((count) => count.duplicates)}::bigint[],
      ${counts.map((count) => count.shifted)}::bigint[],
      ${counts.map((count) => count.withoutTs)}::bigint[],
      ${counts.map((count) => count.tooOld)}::bigint[],
      ${counts.map(({ development }) => development.accepted)}::bigint[],
      ${counts.map(({ development }) => development.duplicates)}::bigint[],
      ${counts.map(({ development }) => development.corrected)}::bigint[]) AS n (app_id)
    -- The log may still hold events of a deleted app, whose counts nothing would delete again.
    WHERE NOT EXISTS (SELECT 1 FROM event_deleted_apps d WHERE d.app_id = n.app_id)
    ON CONFLICT (app_id, hour) DO UPDATE SET
      accepted = h.accepted + excluded.accepted,
      duplicates = h.duplicates + excluded.duplicates,
      shifted = h.shifted + excluded.shifted,
      without_ts = h.without_ts + excluded.without_ts,
      too_old = h.too_old + excluded.too_old,
      development_accepted = h.development_accepted + excluded.development_accepted,
      development_duplicates = h.development_duplicates + excluded.development_duplicates,
      development_corrected = h.development_corrected + excluded.development_corrected`;
}

export const addRejections = (db: Db, rejections: readonly Rejection[]) =>
  done(db`
    INSERT INTO event_rejections AS r
      (app_id, org_id, hour, reason, batches, last_at, last_example, people, of_devices, told_batches)
    SELECT app_id, org_id, hour, reason, batches, last_at, CASE WHEN is_erased THEN NULL ELSE example END,
      CASE WHEN is_erased THEN '{}' ELSE ARRAY(SELECT jsonb_array_elements_text(people)) END, of_devices, batches
    FROM unnest(
      ${rejections.map((rejection) => rejection.appId)}::text[],
      ${rejections.map((rejection) => rejection.orgId)}::text[],
      ${rejections.map((rejection) => toIso(new Date(rejection.hourMs)))}::timestamptz[],
      ${rejections.map((rejection) => rejection.reason)}::text[],
      ${rejections.map((rejection) => rejection.batches)}::bigint[],
      ${rejections.map((rejection) => toIso(new Date(rejection.lastAtMs)))}::timestamptz[],
      ${rejections.map((rejection) => rejection.lastExample)}::text[],
      ${rejections.map(({ people }) => JSON.stringify(people))}::text[]::jsonb[],
      ${rejections.map(({ appId, people }) => JSON.stringify(people.map((id) => subjectHash(appId, id))))}::text[]::jsonb[],
      ${rejections.map(({ ofDevices }) => String(ofDevices))}::text[]::boolean[])
      AS n (app_id, org_id, hour, reason, batches, last_at, example, people, hashes, of_devices),
      LATERAL (SELECT EXISTS (SELECT FROM event_erasures e
        WHERE e.app_id = n.app_id AND n.hashes ? e.subject_hash
          AND e.erased_as IN ('both', CASE WHEN n.of_devices THEN 'device' ELSE 'person' END)) AS is_erased) AS known
    WHERE NOT EXISTS (SELECT 1 FROM event_deleted_apps d WHERE d.app_id = n.app_id)
    ON CONFLICT (app_id, hour, reason) DO UPDATE SET
      batches = r.batches + excluded.batches,
      last_at = greatest(r.last_at, excluded.last_at),
      last_example = excluded.last_example, people = excluded.people,
      of_devices = excluded.of_devices, told_batches = r.batches + excluded.batches`);

const namedAs = (db: Db, { ids, devices }: PersonIds) => db`CASE
  WHEN told_batches IS DISTINCT FROM batches THEN ${[...ids, ...devices]}::text[]
  WHEN of_devices THEN ${[...devices]}::text[] ELSE ${[...ids]}::text[] END`;

export const EXAMPLES_OF_PERSON: PersonPlace = {
  kind: 'refused_batch',
  table: 'event_rejections',
  ids: ['people'],
  words: ['last_example'],
  key: (db) => db`to_char(hour, 'YYYYMMDDHH24') || ' ' || reason`,
  where: (db, scope, person) => db`${ofApp(db, scope)}
    AND (people && ${namedAs(db, person)} OR people IS NULL AND EXISTS (
      SELECT FROM unnest(${[...person.ids, ...person.devices].map((id) => JSON.stringify(id))}::text[]) AS id
      WHERE strpos(last_example, id) > 0))`,
  data: (db, person) => db`to_jsonb(stored) || CASE
    WHEN people <@ ${namedAs(db, person)} THEN '{}'
    ELSE '{"last_example": null, "people": null}'::jsonb END`,
  change: (db) => db`last_example = NULL, people = '{}'`,
};

/** Compacted events only, by app. */
export async function countedToday(
  db: Db,
  appIds: readonly string[],
  dayMs: number,
): Promise<Map<string, number>> {
  const rows = await db<{ app_id: string; accepted: number }[]>`
    SELECT app_id, sum(accepted + development_accepted)::bigint AS accepted
    FROM event_ingestion_hours
    WHERE app_id = ANY(${[...appIds]})
      AND hour >= ${new Date(dayMs)} AND hour < ${new Date(dayMs + DAY_MS)}
    GROUP BY app_id`;
  return new Map(rows.map((row) => [row.app_id, row.accepted]));
}

type Scope = { orgId: string; appId: string; environment: EnvironmentScope };

export async function selectIngestionHours(
  db: Db,
  { orgId, appId, environment }: Scope,
  since: Date,
): Promise<IngestionHour[]> {
  const production = isInScope('production', environment);
  const development = isInScope('development', environment);
  const rows = await db<(Omit<IngestionHour, 'hour'> & { hour: Date })[]>`
    WITH counted AS (
      SELECT hour, p * accepted + d * development_accepted AS accepted,
        p * duplicates + d * development_duplicates AS duplicates,
        p * (shifted + without_ts + too_old) + d * development_corrected AS corrected
      FROM event_ingestion_hours,
        (SELECT ${production}::boolean::int AS p, ${development}::boolean::int AS d) AS scope
      WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
        AND p * accepted + d * development_accepted > 0
    ), rejected_batches AS (
      SELECT hour, sum(batches)::bigint AS batches FROM event_rejections
      WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
        AND NOT starts_with(replace(reason, ${DEVELOPMENT_REASON}, ''), ${IGNORED_ID})
        AND CASE WHEN starts_with(reason, ${DEVELOPMENT_REASON}) THEN ${development}::boolean
          ELSE ${production}::boolean END
      GROUP BY hour
    )
    SELECT hour, coalesce(accepted, 0) AS accepted, coalesce(duplicates, 0) AS duplicates,
      coalesce(corrected, 0) AS "timeCorrected", coalesce(batches, 0) AS rejected
    FROM counted FULL JOIN rejected_batches USING (hour) ORDER BY hour`;
  return rows.map((row) => ({ ...row, hour: toIso(row.hour) }));
}

/** Latest first. */
export async function selectRejections(
  db: Db,
  { orgId, appId, environment }: Scope,
  since: Date,
): Promise<RejectedBatches[]> {
  const rows = await db<(Omit<RejectedBatches, 'lastAt'> & { lastAt: Date })[]>`
    WITH scoped AS (
      SELECT *, starts_with(reason, ${DEVELOPMENT_REASON}) AS is_development FROM event_rejections
      WHERE org_id = ${orgId} AND app_id = ${appId} AND hour >= ${since}
    ), named AS (
      SELECT batches, last_at, last_example,
        CASE WHEN is_development THEN substr(reason, ${DEVELOPMENT_REASON.length + 1}::int)
          ELSE reason END AS reason
      FROM scoped
      WHERE CASE WHEN is_development THEN ${isInScope('development', environment)}::boolean
        ELSE ${isInScope('production', environment)}::boolean END
    )
    SELECT reason, sum(batches)::bigint AS batches, max(last_at) AS "lastAt",
      (array_agg(last_example ORDER BY last_at DESC))[1] AS "lastExample"
    FROM named GROUP BY reason ORDER BY max(last_at) DESC, reason`;
  return rows.map((row) => ({ ...row, lastAt: toIso(row.lastAt) }));
}
