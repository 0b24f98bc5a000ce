import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import { ERRORS } from './errors.ts';

export type SimulatedReview = {
  id: string;
  rating: number;
  title: string;
  body: string;
  reviewerNickname: string;
  /** With an offset, as the store writes it. */
  createdDate: string;
  /** Alpha-3. */
  territory: string;
};

const PARAMETERS = ['sort', 'limit', 'cursor'];

/** Pages are cut at the moment of asking: a review that comes in between moves the others on. */
export function reviewsPage(
  reviews: readonly SimulatedReview[],
  request: SimulatorRequest,
  { base, pageSize }: { base: string; pageSize: number },
): SimulatorAnswer {
  const { query, path } = request;
  const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown) return ERRORS.unknownParameter(unknown);
  if (!/^application\/json\b/.test(String(request.headers.accept))) return ERRORS.notAcceptable();
  const limit = Number(query.get('limit') ?? '20');
  if (!(limit >= 1 && limit <= 200)) return ERRORS.unknownParameter('limit');
  const sort = query.get('sort');
  if (sort !== null && sort !== '-createdDate') return ERRORS.unknownParameter('sort');
  const listed =
    sort === null
      ? reviews
      : reviews.toSorted((a, b) => Date.parse(b.createdDate) - Date.parse(a.createdDate));
  const size = Math.min(limit, pageSize);
  const start = Number(query.get('cursor') ?? '0');
  const next = `${base}${path}?cursor=${start + size}&limit=${limit}&sort=-createdDate`;
  return {
    status: 200,
    json: {
      data: listed.slice(start, start + size).map(({ id, ...attributes }) => ({
        type: 'customerReviews',
        id,
        attributes,
        relationships: { response: { links: {} } },
        links: { self: `${base}/v1/customerReviews/${id}` },
      })),
      links: { self: `${base}${path}`, ...(start + size < listed.length ? { next } : {}) },
      meta: { paging: { total: listed.length, limit } },
    },
  };
}
