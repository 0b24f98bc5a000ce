import { taggedRoutes } from '../../http/route.ts';
import { getNamedEntitlements, putNamedEntitlements } from './entitlement/names.ts';
import { NamedEntitlements, NamedEntitlementsBody } from './model/names.ts';

export const entitlementRoutes = taggedRoutes('Purchases', '/v1/apps/:id/entitlements')
  .get('', ({ ctx }) => getNamedEntitlements(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: NamedEntitlements },
    detail: {
      operationId: 'getNamedEntitlements',
      summary: 'The named entitlements of an app, and the products that they can stand for',
      description:
        'A name such as `pro` stands for products any of which gives it. Products are those of the catalogue of the store, of signed transactions and of sales reports; what was bought and is in no catalogue is listed too.',
    },
  })
  .put('', ({ ctx, body }) => putNamedEntitlements(ctx, body), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: NamedEntitlementsBody,
    response: { 200: NamedEntitlements },
    detail: {
      operationId: 'setNamedEntitlements',
      summary: 'Set the named entitlements of an app',
      description:
        'In place of all before. A product that is neither in the catalogue of the store nor was bought or reported is refused, and so is leaving out a name that something uses. Devices get the names within two seconds.',
    },
  });
