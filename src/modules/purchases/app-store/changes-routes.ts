import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { OfferSignature, SignOfferForBody } from './offers/model.ts';
import { signOfferFor } from './offers/sign.ts';

export const changesRoutes = new Elysia({
  prefix: '/v1/apps/:id/purchases',
  detail: { tags: ['Purchases'] },
})
  .use(access)
  .post('/offers/sign', ({ ctx, body }) => signOfferFor(ctx, body), {
    forApp: {
      permission: 'app:update',
      errors: [
        'store_not_connected',
        'store_credentials_rejected',
        'not_found',
        'secret_storage_unavailable',
      ],
    },
    body: SignOfferForBody,
    response: { 200: OfferSignature },
    detail: {
      operationId: 'signOfferForCustomer',
      summary: 'The signature that StoreKit wants for an offer, for your backend',
      description:
        'As `signOffer`, for a customer that the request names. Somebody who may not have the offer is 403 here too. At most 10 a minute for a customer.',
    },
  });
