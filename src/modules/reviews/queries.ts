import type { StoreReview as CollectedReview } from '../../providers/store/port.ts';
import { toIso } from '../../shared/time.ts';
import { type Db, done } from '../../storage/postgres.ts';
import type { Release } from '../sales/index.ts';
import type { StoreReview } from './model.ts';

export type StoreAppScope = { orgId: string; storeAppId: string };

export async function upsertReviews(
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  reviews: readonly CollectedReview[],
  seenAt: Date,
): Promise<void> {
  const rows = reviews.map((review) => ({ ...review, createdAt: toIso(review.createdAt) }));
  await db`
    INSERT INTO store_reviews (org_id, store_app_id, review_id, rating, title, body, nickname,
      territory, created_at, seen_at)
    SELECT DISTINCT ON ("reviewId") ${orgId}, ${storeAppId}, "reviewId", rating, title, body,
      nickname, territory, "createdAt", ${seenAt}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS one ("reviewId" text,
      rating smallint, title text, body text, nickname text, territory text,
      "createdAt" timestamptz)
    ORDER BY "reviewId", "createdAt" DESC
    ON CONFLICT (org_id, store_app_id, review_id) DO UPDATE SET rating = excluded.rating,
      title = excluded.title, body = excluded.body, nickname = excluded.nickname,
      territory = excluded.territory, created_at = excluded.created_at,
      seen_at = excluded.seen_at`;
}

export async function selectKnown(
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  reviews: readonly CollectedReview[],
): Promise<Set<string>> {
  const rows = await db<{ reviewId: string; createdAt: Date }[]>`
    SELECT review_id AS "reviewId", created_at AS "createdAt" FROM store_reviews
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}
      AND review_id = ANY (${reviews.map(({ reviewId }) => reviewId)}::text[])`;
  const dates = new Map(rows.map(({ reviewId, createdAt }) => [reviewId, createdAt.getTime()]));
  return new Set(
    reviews.flatMap(({ reviewId, createdAt }) =>
      dates.get(reviewId) === createdAt.getTime() ? [reviewId] : [],
    ),
  );
}

export const deleteGone = (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { before, from }: { before: Date; from: Date | null },
) =>
  done(db`
    DELETE FROM store_reviews
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND seen_at < ${before}
      AND (${from}::timestamptz IS NULL OR created_at >= ${from})`);

type Spans = { versions: string[]; from: string[]; to: (string | null)[] };

function toSpans(releases: readonly Release[]): Spans {
  return {
    versions: releases.map(({ version }) => version),
    from: releases.map(({ onSaleFrom }) => toIso(onSaleFrom)),
    to: releases.map((_, index) => {
      const next = releases[index + 1];
      return next ? toIso(next.onSaleFrom) : null;
    }),
  };
}

function withVersions(db: Db, { orgId, storeAppId }: StoreAppScope, releases: readonly Release[]) {
  const { versions, from, to } = toSpans(releases);
  return db`
    SELECT r.*, span.version FROM store_reviews r
    LEFT JOIN unnest(${versions}::text[], ${from}::timestamptz[], ${to}::timestamptz[])
      AS span (version, since, until)
      ON r.created_at >= span.since AND (span.until IS NULL OR r.created_at < span.until)
    WHERE r.org_id = ${orgId} AND r.store_app_id = ${storeAppId}`;
}

export type ReviewFilter = {
  rating: number | null;
  territory: string | null;
  version: string | null;
  after: { createdAt: string; id: string } | null;
  limit: number;
};

type ReviewRow = Omit<StoreReview, 'createdAt'> & { createdAt: Date };

export async function selectReviews(
  db: Db,
  scope: StoreAppScope,
  releases: readonly Release[],
  { rating, territory, version, after, limit }: ReviewFilter,
): Promise<StoreReview[]> {
  const rows = await db<ReviewRow[]>`
    SELECT review_id AS id, rating::integer, title, body, nickname, territory,
      created_at AS "createdAt", version AS "appVersion"
    FROM (${withVersions(db, scope, releases)}) AS one
    WHERE rating = coalesce(${rating}::smallint, rating)
      AND territory = coalesce(${territory}, territory)
      AND (${version}::text IS NULL OR version = ${version})
      AND (${after?.id ?? null}::text IS NULL OR (created_at, review_id)
        < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    ORDER BY created_at DESC, review_id DESC LIMIT ${limit}`;
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: toIso(createdAt) }));
}

export const countRatings = async (
  db: Db,
  scope: StoreAppScope,
  releases: readonly Release[],
) => db<{ version: string | null; rating: number; reviews: number }[]>`
    SELECT version, rating::integer, count(*)::integer AS reviews
    FROM (${withVersions(db, scope, releases)}) AS one GROUP BY version, rating`;
