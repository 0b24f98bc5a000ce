import { parser } from '../../shared/schema.ts';
import { type Db, hasRows, type Tx } from '../../storage/postgres.ts';
import type { DigestDay, DigestPost } from '../../temporal/contracts/digests.ts';
import { postQueries } from '../messages/index.ts';
import { Digest, type DigestMark } from './model.ts';

const digests = parser(Digest, 'stored digest');

/** With a post for each destination, unless the day has a digest. */
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

export async function selectSentMarks(
  db: Db,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<Map<string, DigestMark[]>> {
  const rows = await db<{ digest: unknown }[]>`
    SELECT digest FROM digests WHERE org_id = ${orgId} AND day BETWEEN ${from} AND ${to}
    ORDER BY day`;
  const sent = new Map<string, DigestMark[]>();
  for (const { digest } of rows) {
    for (const { appId, marks = [] } of digests.parse(digest).apps) {
      sent.set(appId, [...(sent.get(appId) ?? []), ...marks]);
    }
  }
  return sent;
}

export const digestExists = (db: Db, { orgId, day }: DigestDay) =>
  hasRows(db`SELECT 1 FROM digests WHERE org_id = ${orgId} AND day = ${day}`);

export const selectPendingPosts = (db: Db, { orgId, day }: DigestDay) => db<DigestPost[]>`
    SELECT org_id AS "orgId", day::text AS day, destination_id AS "destinationId"
    FROM digest_posts WHERE org_id = ${orgId} AND day = ${day}
      AND (state = 'pending' OR state = 'posting' AND claimed_at IS NOT NULL)`;

export const digestPosts = postQueries({
  posts: 'digest_posts',
  source: 'digests',
  id: 'day',
  content: 'digest',
  schema: Digest,
});
