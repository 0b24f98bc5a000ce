import type { AppContext } from '../../context.ts';
import { invalidInput } from '../../shared/errors.ts';
import { readPage } from '../../shared/page.ts';
import { isIsoDateTime } from '../../shared/schema.ts';
import { toIsoOrNull } from '../../shared/time.ts';
import { readReleases } from '../sales/index.ts';
import { selectCheck } from './checks-queries.ts';
import { DEFAULT_PAGE, type ReviewsQuery, type StoreReviews } from './model.ts';
import { type ReviewFilter, selectReviews } from './queries.ts';

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
  { rating, territory, version, limit = DEFAULT_PAGE, cursor }: ReviewsQuery,
): Promise<StoreReviews> {
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
