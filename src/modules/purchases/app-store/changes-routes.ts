import { taggedRoutes } from '../../../http/route.ts';
import { STORE_ERRORS } from '../model/store.ts';
import { extendRenewal } from './changes/extend-renewal.ts';
import * as model from './changes/model.ts';
import { setAccountToken } from './changes/set-account-token.ts';
import { OfferSignature, SignOfferForBody } from './offers/model.ts';
import { signOfferFor } from './offers/sign.ts';

const CHANGE_ERRORS = [
  ...STORE_ERRORS,
  'conflict',
  'not_found',
  'store_not_connected',
  'secret_storage_unavailable',
] as const;

export const changesRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases')
  .post('/offer-signatures', ({ ctx, body }) => signOfferFor(ctx, body), {
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
  })
  .post('/extensions', ({ ctx, body }) => extendRenewal(ctx, body), {
    forApp: { permission: 'integration:manage', errors: CHANGE_ERRORS },
    body: model.ExtendRenewalBody,
    response: { 200: model.RenewalExtension },
    detail: {
      operationId: 'extendRenewal',
      summary: 'Let the store extend a subscription by up to 90 days',
      description:
        'For an outage, or to make up for something: the customer pays later. It cannot be undone, the store writes the customer a mail, and allows two within 365 days of an active, paid subscription. The same `requestIdentifier` again extends nothing and is answered as before.',
    },
  })
  .post('/account-token', ({ ctx, body }) => setAccountToken(ctx, body), {
    forApp: { permission: 'integration:manage', errors: CHANGE_ERRORS },
    body: model.AccountTokenBody,
    response: { 200: model.AccountToken },
    detail: {
      operationId: 'setPurchaseAccountToken',
      summary: 'Set the account token of a purchase at the store',
      description:
        'For a purchase that was made outside of the app, such as with an offer code. It takes the place of the one before, for this purchase and its later renewals; what the store signs from then on names it, and the purchase then belongs to its account.',
    },
  });
