import { taggedRoutes } from '../../http/route.ts';
import { ReviewsQuery, StoreReviewSummary, StoreReviews } from './model.ts';
import { summariseReviews, listReviews } from './summary.ts';

export const reviewsRoutes = taggedRoutes('Store', '/v1/apps/:id/reviews')
  .get('', ({ ctx, query }) => listReviews(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: ReviewsQuery,
    response: { 200: StoreReviews },
    detail: {
      operationId: 'listStoreReviews',
      summary: 'Written reviews of the linked store app, newest first',
      description:
        'Collected hourly at most. The store does not tell the version of a review: it is the one on sale when it was written, in every territory the same. Ratings without words are not among them.',
    },
  })
  .get('/summary', ({ ctx }) => summariseReviews(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: StoreReviewSummary },
    detail: {
      operationId: 'getStoreReviewSummary',
      summary: 'Mean and number of reviews by version, each against the version before',
      description:
        'The difference of means is tested by permutation of the reviews, exactly where one version has 40 or fewer. Versions with fewer than 20 reviews are not compared.',
    },
  });
