import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { OffQuery } from '../messages/index.ts';
import { endDigests, showOffPage } from './off.ts';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
const PAGE = {
  description: 'A page for people.',
  content: { 'text/html': { schema: { type: 'string' as const } } },
};

export const digestsOffRoutes = new Elysia({ prefix: '/v1/digests', detail: { tags: ['Digests'] } })
  .use(access)
  .get(
    '/off',
    async ({ ctx, query }) =>
      new Response(await showOffPage(ctx, query), { headers: PAGE_HEADERS }),
    {
      open: { errors: ['not_found'] },
      query: OffQuery,
      detail: {
        operationId: 'showDigestsOff',
        summary: 'The page behind the link at the end of every message',
        description: 'A page with one button. Opening it ends nothing.',
        responses: { 200: PAGE },
      },
    },
  )
  .post(
    '/off',
    async ({ ctx, query }) => new Response(await endDigests(ctx, query), { headers: PAGE_HEADERS }),
    {
      open: { takesForm: true, errors: ['not_found'] },
      query: OffQuery,
      detail: {
        operationId: 'endDigests',
        summary: 'End digests or messages without a login',
        description:
          'What the button of the page does, and what mail programs send to unsubscribe (RFC 8058): for the address of a mail, or one kind for the organization.',
        responses: { 200: PAGE },
      },
    },
  );
