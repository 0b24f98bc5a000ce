import { taggedRoutes } from '../../../http/route.ts';
import { STORE_ERRORS } from '../model/store.ts';
import { getCustomer } from './get.ts';
import { listCustomers } from './list.ts';
import * as model from './model.ts';
import { refreshCustomer } from './refresh.ts';

const refreshes = {
  permission: 'app:update',
  errors: [...STORE_ERRORS, 'store_not_connected', 'not_found'],
} as const;

export const customersRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases')
  .get('/customers', ({ ctx, query }) => listCustomers(ctx, query), {
    forApp: { permission: 'analytics:read', errors: STORE_ERRORS },
    query: model.CustomersQuery,
    response: { 200: model.Customers },
    detail: {
      operationId: 'listPurchaseCustomers',
      summary: 'Purchases with who holds them, newest first, or those that a search finds',
      description:
        "`search` takes a user id, an anonymous id, an account token, a transaction id, or the order id of the store's mail. What looks like an order id and is not known here is looked up at the store with your purchase key (production only); what it finds is recorded.",
    },
  })
  .get('/customers/:customerId', ({ ctx, params }) => getCustomer(ctx, params), {
    forApp: { permission: 'analytics:read' },
    params: model.CustomerParams,
    response: { 200: model.Customer },
    detail: {
      operationId: 'getPurchaseCustomer',
      summary: 'One customer: purchases, their history, and why they are entitled',
      description:
        'By user id, or by the original transaction id of a purchase that nobody holds. `reason` says why this person is entitled or not, as a code for programs and a sentence for people; `history` what happened, a sentence each, newest first.',
    },
  })
  .post('/customers/:customerId/refresh', ({ ctx, params }) => refreshCustomer(ctx, params), {
    forApp: refreshes,
    params: model.CustomerParams,
    response: { 200: model.Customer },
    detail: {
      operationId: 'refreshPurchaseCustomer',
      summary: 'Ask the store how the purchases of a customer stand now',
      description:
        'With your purchase key, once for each environment: the store answers with everything that its customer bought. What it signs is recorded, and the customer is answered as it is then.',
    },
  })
  .get('/customer', ({ ctx, query }) => getCustomer(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: model.CustomerByIdQuery,
    response: { 200: model.Customer },
    detail: {
      operationId: 'getPurchaseCustomerById',
      summary: 'The customer of an id: purchases, their history, and why they are entitled',
      description:
        'As `getPurchaseCustomer`, for any id: in a path `.` and `..` are resolved on the way.',
      'x-same-as': 'getPurchaseCustomer',
    },
  })
  .post('/customer/refresh', ({ ctx, body }) => refreshCustomer(ctx, body), {
    forApp: refreshes,
    body: model.RefreshCustomerBody,
    response: { 200: model.Customer },
    detail: {
      operationId: 'refreshPurchaseCustomerById',
      summary: 'Ask the store how the purchases of the customer of an id stand now',
      description:
        'As `refreshPurchaseCustomer`, for any id: in a path `.` and `..` are resolved on the way.',
      'x-same-as': 'refreshPurchaseCustomer',
    },
  });
