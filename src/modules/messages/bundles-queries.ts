import { Type } from '@sinclair/typebox';
import { type Db, type Tx, done } from '../../storage/postgres.ts';
import { ensureAgain, markEnsured } from '../../storage/wanted-runs.ts';
import type { MessagePost } from '../../temporal/contracts/messages.ts';
import type { Bundle } from './bundle.ts';
import { Message } from './model.ts';
import { postQueries } from './posts-queries.ts';

export async function selectPace(
  db: Db,
  orgId: string,
  since: Date,
): Promise<{ lastAt: Date | null; lines: number }> {
  const [row] = await db<{ lastAt: Date | null; lines: number }[]>`
    SELECT max(created_at) AS "lastAt", coalesce(sum(lines), 0)::int AS lines
    FROM message_bundles WHERE org_id = ${orgId} AND created_at > ${since}`;
  return row ?? { lastAt: null, lines: 0 };
}

/** With a post for each destination. */
export async function insertBundle(
  tx: Tx,
  { orgId, bundleId, at }: { orgId: string; bundleId: string; at: Date },
  bundle: Bundle,
): Promise<void> {
  await tx`
    INSERT INTO message_bundles (org_id, bundle_id, lines, bundle, created_at)
    VALUES (${orgId}, ${bundleId}, ${bundle.lines.length},
      ${JSON.stringify(bundle)}::text::jsonb, ${at})`;
  await tx`
    INSERT INTO message_posts (org_id, bundle_id, destination_id, created_at, state)
    SELECT org_id, ${bundleId}, destination_id, ${at}, 'pending' FROM digest_destinations
    WHERE org_id = ${orgId} AND gone_reason IS NULL`;
}

const OPEN = (db: Db) => db`state IN ('pending', 'posting')`;

export const selectPostsWithoutRun = async (db: Db, limit: number) => db<MessagePost[]>`
    SELECT org_id AS "orgId", bundle_id AS "bundleId", destination_id AS "destinationId"
    FROM message_posts WHERE run_ensured_at IS NULL AND ${OPEN(db)}
    ORDER BY created_at LIMIT ${limit}`;

export const markPostRunsEnsured = markEnsured(
  'message_posts',
  'orgId',
  'bundleId',
  'destinationId',
);

export const ensurePostsAgain = (db: Db): Promise<void> =>
  ensureAgain(db, 'message_posts', OPEN(db));

export const bundlePosts = postQueries({
  posts: 'message_posts',
  source: 'message_bundles',
  id: 'bundle_id',
  content: 'bundle',
  schema: Type.Object({ lines: Type.Array(Type.String()), messages: Type.Array(Message) }),
});

/** Bundles made after `madeBefore` are still tried. */
export const failMessagePost = (db: Db, post: MessagePost, madeBefore: Date) =>
  done(db`
    UPDATE message_posts p SET state = 'failed' FROM message_bundles b
    WHERE p.org_id = ${post.orgId} AND p.bundle_id = ${post.bundleId}
      AND p.destination_id = ${post.destinationId} AND ${OPEN(db)}
      AND b.org_id = p.org_id AND b.bundle_id = p.bundle_id AND b.created_at < ${madeBefore}`);
