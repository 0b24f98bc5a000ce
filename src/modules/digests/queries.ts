import { onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import type { DigestDay, DigestPost } from '../../temporal/contracts/digests.ts';
import { Destination, Digest, type DigestMark, type DigestSettings } from './model.ts';
import type { PostState } from './posts.ts';

export async function selectSettings(db: Db, orgId: string): Promise<DigestSettings | null> {
  const [row] = await db<DigestSettings[]>`
    SELECT is_on AS "isOn", timezone, hour FROM digest_settings WHERE org_id = ${orgId}`;
  return row ?? null;
}

export async function upsertSettings(
  db: Db,
  orgId: string,
  { isOn, timezone, hour }: DigestSettings,
  at: Date,
): Promise<void> {
  await db`
    INSERT INTO digest_settings (org_id, is_on, timezone, hour, updated_at)
    VALUES (${orgId}, ${isOn}, ${timezone}, ${hour}, ${at})
    ON CONFLICT (org_id) DO UPDATE SET is_on = EXCLUDED.is_on, timezone = EXCLUDED.timezone,
      hour = EXCLUDED.hour, updated_at = EXCLUDED.updated_at, run_ensured_at = NULL`;
}

/** False where they are off already. */
export async function switchOff(db: Db, orgId: string, at: Date): Promise<boolean> {
  const rows = await db`
    UPDATE digest_settings SET is_on = false, updated_at = ${at}, run_ensured_at = NULL
    WHERE org_id = ${orgId} AND is_on RETURNING 1`;
  return rows.length > 0;
}

export type WantedSchedule = DigestSettings & { orgId: string; updatedAt: string };

/** Settings whose schedule was not ensured yet. */
export function selectSettingsWithoutRun(db: Db, limit: number): Promise<WantedSchedule[]> {
  return db<WantedSchedule[]>`
    SELECT org_id AS "orgId", is_on AS "isOn", timezone, hour, updated_at::text AS "updatedAt"
    FROM digest_settings WHERE run_ensured_at IS NULL ORDER BY updated_at LIMIT ${limit}`;
}

/** Leaves settings alone that have changed since. */
export async function markRunsEnsured(db: Db, wanted: readonly WantedSchedule[]): Promise<void> {
  await db`
    UPDATE digest_settings AS s SET run_ensured_at = now()
    FROM unnest(${wanted.map(({ orgId }) => orgId)}::text[],
      ${wanted.map(({ updatedAt }) => updatedAt)}::text[]) AS ensured (org_id, updated_at)
    WHERE s.org_id = ensured.org_id AND s.updated_at::text = ensured.updated_at`;
}

/** Has the schedules of those that are on ensured again. */
export async function forgetEnsured(db: Db, afterHours: number): Promise<void> {
  await db`
    UPDATE digest_settings SET run_ensured_at = NULL
    WHERE is_on AND run_ensured_at < now() - make_interval(hours => ${afterHours})`;
}

const destinations = parser(Destination, 'stored destination of digests');

export type SealedDestination = { kind: Destination['kind']; sealedTarget: string };

type DestinationRow = { createdAt: Date; sealedTarget: string };

const columns = (db: Db) => db`
  destination_id AS id, kind, name, sealed_target AS "sealedTarget", created_at AS "createdAt",
  gone_reason AS "goneReason"`;

/** Oldest first; `shown` says of an opened target what may be shown of it. */
export async function selectDestinations(
  db: Db,
  orgId: string,
  shown: (sealedTarget: string) => string,
): Promise<Destination[]> {
  const rows = await db<DestinationRow[]>`
    SELECT ${columns(db)} FROM digest_destinations WHERE org_id = ${orgId}
    ORDER BY created_at, destination_id`;
  return rows.map(({ sealedTarget, ...row }) =>
    destinations.parse({
      ...row,
      shownTarget: shown(sealedTarget),
      createdAt: toIso(row.createdAt),
    }),
  );
}

export async function selectDestination(
  db: Db,
  orgId: string,
  destinationId: string,
): Promise<SealedDestination | null> {
  const [row] = await db<SealedDestination[]>`
    SELECT kind, sealed_target AS "sealedTarget" FROM digest_destinations
    WHERE org_id = ${orgId} AND destination_id = ${destinationId}`;
  return row ?? null;
}

export async function destinationExists(
  db: Db,
  { orgId }: { orgId: string },
  id: string,
): Promise<boolean> {
  return (await selectDestination(db, orgId, id)) !== null;
}

type NewDestination = Pick<Destination, 'id' | 'kind' | 'name'> & {
  sealedTarget: string;
  /** The member whose address it is; it ends with the membership. */
  readerUserId: string | null;
  at: Date;
};

/** False at the limit. */
export async function insertDestination(
  tx: Tx,
  orgId: string,
  { id, kind, name, sealedTarget, readerUserId, at }: NewDestination,
  most: number,
): Promise<boolean> {
  const counted = await tx<{ count: number }[]>`
    SELECT count(*) AS count FROM digest_destinations WHERE org_id = ${orgId}`;
  if (onlyRow(counted).count >= most) return false;
  await tx`
    INSERT INTO digest_destinations (destination_id, org_id, kind, name, sealed_target,
      reader_user_id, created_at)
    VALUES (${id}, ${orgId}, ${kind}, ${name}, ${sealedTarget}, ${readerUserId}, ${at})`;
  return true;
}

export async function deleteDestinationRow(db: Db, orgId: string, id: string): Promise<boolean> {
  const rows = await db`
    DELETE FROM digest_destinations WHERE org_id = ${orgId} AND destination_id = ${id} RETURNING 1`;
  return rows.length > 0;
}

export async function markGone(
  db: Db,
  { orgId, destinationId }: { orgId: string; destinationId: string },
  reason: string,
): Promise<void> {
  await db`
    UPDATE digest_destinations SET gone_reason = ${reason}
    WHERE org_id = ${orgId} AND destination_id = ${destinationId}`;
}

/** The member with this address; null where there is none. */
export async function findReader(db: Db, orgId: string, email: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    SELECT u.id AS "userId" FROM auth.member JOIN auth."user" u ON u.id = member."userId"
    WHERE member."organizationId" = ${orgId} AND lower(u.email) = lower(${email})`;
  return row?.userId ?? null;
}

const digests = parser(Digest, 'stored digest');

/** Keeps the digest of a day unless there is one; a post for each destination goes with it. */
export async function insertDigest(
  tx: Tx,
  { orgId, day }: DigestDay,
  digest: Digest,
  at: Date,
): Promise<void> {
  const rows = await tx`
    INSERT INTO digests (org_id, day, digest, created_at)
    VALUES (${orgId}, ${day}, ${JSON.stringify(digest)}::text::jsonb, ${at})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (rows.length === 0) return;
  await tx`
    INSERT INTO digest_posts (org_id, day, destination_id, state)
    SELECT org_id, ${day}, destination_id, 'pending' FROM digest_destinations
    WHERE org_id = ${orgId} AND gone_reason IS NULL`;
}

/** The marks of each app that digests of these days told. */
export async function selectSentMarks(
  db: Db,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<Map<string, DigestMark[]>> {
  const rows = await db<{ digest: unknown }[]>`
    SELECT digest FROM digests WHERE org_id = ${orgId} AND day BETWEEN ${from} AND ${to}
    ORDER BY day`;
  const told = new Map<string, DigestMark[]>();
  for (const { digest } of rows) {
    for (const { appId, marks = [] } of digests.parse(digest).apps) {
      told.set(appId, [...(told.get(appId) ?? []), ...marks]);
    }
  }
  return told;
}

export async function digestExists(db: Db, { orgId, day }: DigestDay): Promise<boolean> {
  const rows = await db`SELECT 1 FROM digests WHERE org_id = ${orgId} AND day = ${day}`;
  return rows.length > 0;
}

/** Those of a worker that died while it posted belong to them. */
export function selectPendingPosts(db: Db, { orgId, day }: DigestDay): Promise<DigestPost[]> {
  return db<DigestPost[]>`
    SELECT org_id AS "orgId", day::text AS day, destination_id AS "destinationId"
    FROM digest_posts WHERE org_id = ${orgId} AND day = ${day}
      AND (state = 'pending' OR state = 'posting' AND claimed_at IS NOT NULL)`;
}

const ofPost = (db: Db, { orgId, day, destinationId }: DigestPost) => db`
  p.org_id = ${orgId} AND p.day = ${day} AND p.destination_id = ${destinationId}`;

/** The digest to be sent, claimed; null where it is settled, or claimed by another worker. */
export async function claimPost(
  db: Db,
  post: DigestPost,
  { at, staleBefore }: { at: Date; staleBefore: Date },
): Promise<{ digest: Digest; createdAt: Date; repeats: number } | null> {
  const [row] = await db<{ digest: unknown; createdAt: Date; repeats: number }[]>`
    UPDATE digest_posts p SET state = 'posting', claimed_at = ${at},
      repeats = p.repeats + (p.state = 'posting')::int
    FROM digests d
    WHERE ${ofPost(db, post)} AND d.org_id = p.org_id AND d.day = p.day
      AND (p.state = 'pending' OR p.state = 'posting' AND p.claimed_at < ${staleBefore})
    RETURNING d.digest, d.created_at AS "createdAt", p.repeats`;
  return row ? { ...row, digest: digests.parse(row.digest) } : null;
}

/** Without a time it was claimed by the release before, which made each post at most once. */
export async function isBeingPosted(db: Db, post: DigestPost): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM digest_posts p
    WHERE ${ofPost(db, post)} AND p.state = 'posting' AND p.claimed_at IS NOT NULL`;
  return rows.length > 0;
}

export async function settlePost(
  db: Db,
  post: DigestPost,
  { state, error, repeats }: PostState,
): Promise<void> {
  await db`
    UPDATE digest_posts p SET state = ${state}, error = ${error}, repeats = ${repeats}
    WHERE ${ofPost(db, post)}`;
}

export async function deleteOldDigests(db: Db, keepDays: number): Promise<void> {
  await db`DELETE FROM digests WHERE created_at < now() - make_interval(days => ${keepDays})`;
}
