import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { taggedRoutes } from '../../http/route.ts';
import { DeviceOfferings, Offerings, OfferingsBody, OfferingsQuery } from './model.ts';
import { getOfferings, setOfferings } from './set.ts';
import { showOfferings } from './show.ts';

const etagOf = (body: string): string => `"${Bun.hash.xxHash3(body).toString(16)}"`;

function answerWith(answer: DeviceOfferings, sent: string | null): Response {
  const body = JSON.stringify(answer);
  const etag = etagOf(body);
  const headers = { etag, 'cache-control': 'private, no-cache' };
  const isKnown = sent?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } });
}

const appRoutes = taggedRoutes('Purchases', '/v1/apps/:id/offerings')
  .get('', ({ ctx }) => getOfferings(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: Offerings },
    detail: {
      operationId: 'getOfferings',
      summary: 'The offerings of an app',
      description:
        'What paywalls show: packages of products in order, with JSON that devices get as it is, the default, and the flag that chooses.',
    },
  })
  .put('', ({ ctx, body }) => setOfferings(ctx, body), {
    forApp: { permission: 'app:update' },
    body: OfferingsBody,
    response: { 200: Offerings },
    detail: {
      operationId: 'setOfferings',
      summary: 'Set the offerings of an app',
      description:
        'In place of all before; 64 KB in all. A product that is not known is refused, and a flag whose values are not text. Devices get them within five seconds.',
    },
  });

const deviceRoutes = taggedRoutes('Purchases', '/v1/purchases').get(
  '/offerings',
  async ({ ctx, query, request }) =>
    answerWith(await showOfferings(ctx, query), request.headers.get('if-none-match')),
  {
    forDevice: { limit: 'purchases', hasEtag: true },
    query: OfferingsQuery,
    response: { 200: DeviceOfferings, 304: Type.Void() },
    detail: {
      operationId: 'getDeviceOfferings',
      summary: 'What the paywall of this person shows',
      description:
        'All offerings, and which is current: by the flag of the offerings for this person, else the default. With the ETag of an earlier answer in If-None-Match it is 304 while nothing changes. Asking is no exposure of an experiment; with `shown` it is.',
    },
  },
);

export const offeringsRoutes = new Elysia().use(appRoutes).use(deviceRoutes);
