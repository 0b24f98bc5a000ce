import type { AppContext, Deps } from '../../context.ts';
import { invalidInput } from '../../shared/errors.ts';
import { readPage } from '../../shared/page.ts';
import { isIsoDateTime } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import { readReleases } from '../sales/index.ts';
import { selectCheck } from './checks-queries.ts';
import { againstBefore, countOf, meanOf, type Ratings } from './compare.ts';
import * as model from './model.ts';
import { countRatings, type StoreAppScope, type ReviewFilter, selectReviews } from './queries.ts';

const encode = ({ createdAt, id }: { createdAt: string; id: string }): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url');

function decode(cursor: string | undefined): ReviewFilter['after'] {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [createdAt = '', id = ''] = [
    text.slice(0, text.indexOf(' ')),
    text.slice(text.indexOf(' ') + 1),
  ];
  const after = { createdAt, id };
  if (isIsoDateTime(createdAt) && !id.includes('\u0000') && encode(after) === cursor) return after;
  throw invalidInput('cursor', 'must be the nextCursor of the page before');
}

/** Throws `invalid_input`. */
export async function listReviews(
  { deps, orgId, app }: AppContext<'sql'>,
  { rating, territory, version, limit = model.DEFAULT_PAGE, cursor }: model.ReviewsQuery,
): Promise<model.StoreReviews> {
  const after = decode(cursor);
  const { storeAppId } = app;
  if (storeAppId === null)
    return { reviews: [], nextCursor: null, checkedAt: null, lastError: null };
  const scope = { orgId, storeAppId };
  const [releases, check] = await Promise.all([
    readReleases(deps, scope),
    selectCheck(deps.sql, scope),
  ]);
  const filter = {
    rating: rating ?? null,
    territory: territory?.toUpperCase() ?? null,
    version: version ?? null,
    after,
  };
  const select = (limit: number) => selectReviews(deps.sql, scope, releases, { ...filter, limit });
  const { rows: reviews, nextCursor } = await readPage(limit, select, encode);
  return {
    reviews,
    nextCursor,
    checkedAt: toIsoOrNull(check?.checkedAt ?? null),
    lastError: check?.lastError ?? null,
  };
}

const NO_RATINGS: Ratings = [0, 0, 0, 0, 0];

export async function readVersions(
  deps: Pick<Deps, 'sql'>,
  scope: StoreAppScope,
): Promise<model.StoreReviewVersion[]> {
  const releases = await readReleases(deps, scope);
  const counts = await countRatings(deps.sql, scope, releases);
  const ratingsOf = (version: string | null): Ratings =>
    NO_RATINGS.map(
      (_, index) =>
        counts.find((row) => row.version === version && row.rating === index + 1)?.reviews ?? 0,
    );
  const known = releases
    .map(({ version, onSaleFrom, isSeen }) => ({
      appVersion: version,
      onSaleFrom: toIso(onSaleFrom),
      isSeen,
      ratings: ratingsOf(version),
    }))
    .filter(({ ratings }) => countOf(ratings) > 0);
  const before = ratingsOf(null);
  return [
    ...(countOf(before) > 0
      ? [{ appVersion: null, onSaleFrom: null, isSeen: false, ...figures(before), before: null }]
      : []),
    ...known.map((version, index) => ({
      ...version,
      ...figures(version.ratings),
      before: againstBefore(known, index),
    })),
  ];
}

const figures = (ratings: Ratings) => ({
  reviews: countOf(ratings),
  mean: meanOf(ratings),
  ratings: [...ratings],
});

export async function summariseReviews({
  deps,
  orgId,
  app,
}: AppContext<'sql'>): Promise<model.StoreReviewSummary> {
  const { storeAppId } = app;
  if (storeAppId === null) {
    return { reviews: 0, mean: null, versions: [], checkedAt: null, lastError: null };
  }
  const scope = { orgId, storeAppId };
  const [versions, check] = await Promise.all([
    readVersions(deps, scope),
    selectCheck(deps.sql, scope),
  ]);
  const all = NO_RATINGS.map((_, index) =>
    versions.reduce((sum, { ratings }) => sum + (ratings[index] ?? 0), 0),
  );
  return {
    reviews: countOf(all),
    mean: meanOf(all),
    versions: versions.toReversed(),
    checkedAt: toIsoOrNull(check?.checkedAt ?? null),
    lastError: check?.lastError ?? null,
  };
}

export type ReviewChange = {
  appVersion: string;
  reviews: number;
  mean: number;
  before: NonNullable<model.StoreReviewVersion['before']>;
};

export async function readReviewChange(
  deps: Pick<Deps, 'sql'>,
  scope: StoreAppScope,
): Promise<ReviewChange | null> {
  const newest = (await readVersions(deps, scope)).findLast(({ before }) => before !== null);
  const { appVersion, mean, before, reviews } = newest ?? {};
  if (!before?.isBeyondChance || appVersion == null || mean == null || !reviews) return null;
  return { appVersion, reviews, mean, before };
}
