import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, QueryInteger } from '../../shared/schema.ts';
import { LEAST_REVIEWS, LEVEL } from './compare.ts';

export const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;

const AppVersion = Nullable(
  Type.String({
    description:
      'On sale when it was written; the store does not tell which one the person has. null before the first known one.',
  }),
);

export const StoreReview = Named('StoreReview', {
  id: Type.String(),
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  title: Type.String(),
  body: Type.String(),
  nickname: Type.String(),
  territory: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
  createdAt: DateTime,
  appVersion: AppVersion,
});
export type StoreReview = Static<typeof StoreReview>;

const Freshness = {
  checkedAt: Nullable(
    Type.String({ format: 'date-time', description: 'When the store was last read to the end.' }),
  ),
  lastError: Nullable(Type.String()),
};

export const ReviewsQuery = Type.Object({
  rating: Type.Optional(QueryInteger(1, 5)),
  territory: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$' })),
  version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  limit: Type.Optional(QueryInteger(1, MAX_PAGE, { whenLeftOut: DEFAULT_PAGE })),
  cursor: Type.Optional(
    Type.String({ maxLength: 400, description: 'The nextCursor of the page before.' }),
  ),
});
export type ReviewsQuery = Static<typeof ReviewsQuery>;

export const StoreReviews = Named('StoreReviews', {
  reviews: Type.Array(StoreReview, { description: 'Newest first.' }),
  nextCursor: Nullable(Type.String()),
  ...Freshness,
});
export type StoreReviews = Static<typeof StoreReviews>;

const VersionChange = Named('StoreReviewChange', {
  appVersion: Type.String({
    description: `The last version before with ${LEAST_REVIEWS} reviews or more.`,
  }),
  reviews: Type.Integer(),
  mean: Type.Number(),
  pValue: Type.Number({
    description:
      'Of a difference of means as large, by permutation of the reviews, on either side.',
  }),
  isBeyondChance: Type.Boolean({ description: `pValue is under ${LEVEL}.` }),
});

export const StoreReviewVersion = Named('StoreReviewVersion', {
  appVersion: AppVersion,
  onSaleFrom: Nullable(DateTime),
  isSeen: Type.Boolean({
    description:
      'Its release was seen here. Else onSaleFrom is when it was made in the store, which is earlier.',
  }),
  reviews: Type.Integer(),
  mean: Nullable(Type.Number()),
  ratings: Type.Array(Type.Integer(), {
    minItems: 5,
    maxItems: 5,
    description: 'From one star to five.',
  }),
  before: Nullable(VersionChange),
});
export type StoreReviewVersion = Static<typeof StoreReviewVersion>;

export const StoreReviewSummary = Named('StoreReviewSummary', {
  reviews: Type.Integer(),
  mean: Nullable(Type.Number()),
  versions: Type.Array(StoreReviewVersion, { description: 'Newest first, those with reviews.' }),
  ...Freshness,
});
export type StoreReviewSummary = Static<typeof StoreReviewSummary>;
