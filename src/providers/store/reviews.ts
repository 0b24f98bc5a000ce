import { countryOfStorefront } from '../../shared/storefront.ts';
import { withoutNul } from '../../shared/text.ts';
import { remainingInHour } from './classify.ts';
import { type Store, StoreFault, type StoreReview } from './port.ts';
import { address, JSON_TYPE, json, nextPage, type Send } from './request.ts';
import { type ReviewWire, reviewsPage } from './wire.ts';

const PAGE_SIZE = '200';

function toReview({ id, attributes }: ReviewWire): StoreReview {
  const { rating, title, body, reviewerNickname, territory } = attributes;
  const createdAt = new Date(attributes.createdDate);
  if (Number.isNaN(createdAt.getTime())) {
    throw new StoreFault('protocol', 'A review has no readable date.');
  }
  return {
    reviewId: withoutNul(id),
    rating,
    title: withoutNul(title ?? ''),
    body: withoutNul(body ?? ''),
    nickname: withoutNul(reviewerNickname ?? ''),
    territory: countryOfStorefront(territory ?? null) ?? withoutNul(territory ?? ''),
    createdAt,
  };
}

export const reviewRequests = (send: Send, baseUrl: string): Pick<Store, 'reviewPage'> => ({
  reviewPage: async (key, storeAppId, next) => {
    const path = `/v1/apps/${encodeURIComponent(storeAppId)}/customerReviews`;
    const first = () => address(baseUrl, path, { sort: '-createdDate', limit: PAGE_SIZE });
    const url = next === null ? first() : nextPage(baseUrl, next);
    const answer = await send(key, url, { accept: JSON_TYPE });
    const { data, links } = json(answer, reviewsPage.parse);
    return {
      reviews: data.map(toReview),
      next: links.next ?? null,
      remainingInHour: remainingInHour(answer.headers.get('x-rate-limit')),
    };
  },
});
