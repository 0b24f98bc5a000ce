import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { addressGroup } from '../../shared/client-address.ts';
import { Nullable } from '../../shared/schema.ts';
import {
  connectPurchaseKey,
  disconnectPurchaseKey,
  getPurchaseConnection,
  testPurchaseConnection,
} from './connection.ts';
import { getCustomer } from './customers/get.ts';
import { listCustomers } from './customers/list.ts';
import { Customer, CustomerParams, Customers, CustomersQuery } from './customers/model.ts';
import { getEntitlement } from './get-entitlement.ts';
import { GrantBody, GrantsPage, GrantsQuery, PurchaseGrant } from './grant.model.ts';
import { grantEntitlement, listGrants, revokeGrant } from './grants.ts';
import { createImport, getImport } from './import/create.ts';
import { ImportBody, ImportQuery, PurchaseImport } from './import/model.ts';
import { grantExists, importExists } from './index.ts';
import { listPurchaseAudit } from './list-audit.ts';
import {
  AuditPage,
  AuditQuery,
  BackendEntitlementQuery,
  ConnectBody,
  Entitlement,
  EntitlementQuery,
  NotificationBody,
  PatchedSettings,
  PurchaseConnection,
  PurchaseSettings,
  Received,
  SettingsPatch,
  TestAnswer,
  TestBody,
  VerifyBody,
} from './model.ts';
import { getPurchasesOverview } from './overview/get.ts';
import { OverviewQuery, PurchasesOverview } from './overview/model.ts';
import { receiveNotification } from './receive-notification.ts';
import { getPurchaseSettings, patchPurchaseSettings } from './settings.ts';
import { verifyPurchase } from './verify.ts';

/** What the store can answer to a request that needs it. */
const STORE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_rate_limited',
  'store_unavailable',
] as const;

const connectionRoutes = new Elysia({
  prefix: '/v1/purchases/connection',
  detail: { tags: ['Purchases'] },
})
  .use(access)
  .get('', ({ ctx }) => getPurchaseConnection(ctx), {
    forOrganization: { permission: 'integration:manage' },
    response: { 200: Nullable(PurchaseConnection) },
    detail: {
      operationId: 'getPurchaseConnection',
      summary: 'The purchase key of the organization and its status, never the key',
      description: 'null where none is connected.',
    },
  })
  .put('', ({ ctx, body }) => connectPurchaseKey(ctx, body), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'conflict', 'secret_storage_unavailable'],
    },
    body: ConnectBody,
    response: { 200: PurchaseConnection },
    detail: {
      operationId: 'connectPurchaseKey',
      summary: 'Connect an In-App Purchase key; it is verified with the store first',
      description:
        'Kept sealed and never returned. With it the history of every known purchase is read.',
    },
  })
  .delete(
    '',
    async ({ ctx, set }) => {
      await disconnectPurchaseKey(ctx);
      set.status = 204;
    },
    {
      forOrganization: { permission: 'integration:manage' },
      response: { 204: Type.Void() },
      detail: {
        operationId: 'disconnectPurchaseKey',
        summary: 'Disconnect and delete the purchase key',
        description: 'Signed transactions and notifications count without it.',
      },
    },
  )
  .post('/test', ({ ctx, body }) => testPurchaseConnection(ctx, body ?? {}), {
    forOrganization: {
      permission: 'integration:manage',
      errors: [...STORE_ERRORS, 'not_found', 'store_not_connected', 'secret_storage_unavailable'],
    },
    body: TestBody,
    response: { 200: TestAnswer },
    detail: {
      operationId: 'testPurchaseConnection',
      summary: "Ask for the store's test notification; says when the last one came",
      description:
        'The store sends it to the address that is set in App Store Connect, within a minute as a rule.',
    },
  });

const deviceRoutes = new Elysia({ prefix: '/v1/purchases', detail: { tags: ['Purchases'] } })
  .use(access)
  .post(
    '/verify',
    ({ ctx, body }) => verifyPurchase(ctx, { ...body, address: addressGroup(ctx.address) }),
    {
      forDevice: {
        limit: 'purchases',
        errors: ['invalid_transaction', 'transaction_not_for_app', 'conflict', 'not_found'],
      },
      body: VerifyBody,
      response: { 200: Entitlement },
      detail: {
        operationId: 'verifyPurchase',
        summary: 'Hand over a completed purchase transaction',
        description:
          'Checks the signature of the store offline, keeps the transaction and answers what the person is entitled to. To be sent again until it is answered.',
      },
    },
  )
  .get('/entitlement', ({ ctx, query }) => getEntitlement(ctx, query), {
    forDevice: { limit: 'purchases', errors: ['not_found'] },
    query: EntitlementQuery,
    response: { 200: Entitlement },
    detail: {
      operationId: 'getEntitlement',
      summary: 'Whether this person may use what they paid for',
      description:
        'By user id, anonymous id, account token or transaction. Access lasts to the end of the paid period and through the grace period of the store; an app that gets no answer keeps what the device knows.',
    },
  })
  .post(
    '/notifications',
    ({ ctx, body }) => receiveNotification(ctx, { ...body, address: addressGroup(ctx.address) }),
    {
      open: { limit: 'notifications', errors: ['invalid_signature', 'not_found'] },
      body: NotificationBody,
      response: { 200: Received },
      detail: {
        operationId: 'receiveStoreNotification',
        summary: 'Store server notifications V2, sent by the store',
        description:
          'The address to set in App Store Connect. Authenticated by the signature of the store; answered once it is kept.',
      },
    },
  );

const backendRoutes = new Elysia({
  prefix: '/v1/apps/:id/purchases',
  detail: { tags: ['Purchases'] },
})
  .use(access)
  .get('/entitlement', ({ ctx, query }) => getEntitlement({ ...ctx, appId: ctx.app.id }, query), {
    forApp: { permission: 'analytics:read', errors: ['not_found'] },
    query: BackendEntitlementQuery,
    response: { 200: Entitlement },
    detail: {
      operationId: 'getPersonEntitlement',
      summary: 'Whether a person may use what they paid for, for your backend',
      description:
        'The same answer that the app of this person gets with its publishable key. A promotional grant is `active` with `ownership` and `originalTransactionId` null.',
    },
  })
  .get('/overview', ({ ctx, query }) => getPurchasesOverview(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: OverviewQuery,
    response: { 200: PurchasesOverview },
    detail: {
      operationId: 'getPurchasesOverview',
      summary: 'Subscribers and their money: MRR and its movement, trials, churn, refunds',
      description:
        "Counted from what the store signed, so figures are live and need no report. Production, not family-shared, auto-renewable subscriptions count, unless a figure says otherwise. MRR is each active paid one's customer price × months⁻¹, before commission and tax; a transaction is converted once, at the ECB rate of its purchase day or the last of the seven days before. Movement is an identity: start + new + returned + expansion − contraction − churned = end. Days are of UTC. `docs/purchases.md` says what each figure means and why the store's own totals differ.",
    },
  })
  .get('/customers', ({ ctx, query }) => listCustomers(ctx, query), {
    forApp: { permission: 'analytics:read', errors: STORE_ERRORS },
    query: CustomersQuery,
    response: { 200: Customers },
    detail: {
      operationId: 'listPurchaseCustomers',
      summary: 'Purchases with who holds them, newest first, or those that a search finds',
      description:
        "`search` takes a user id, an anonymous id, an account token, a transaction id, or the order id of the store's mail. What looks like an order id and is not known here is looked up at the store with your purchase key (production only); what it finds is recorded.",
    },
  })
  .get('/customers/:customerId', ({ ctx, params }) => getCustomer(ctx, params), {
    forApp: { permission: 'analytics:read' },
    params: CustomerParams,
    response: { 200: Customer },
    detail: {
      operationId: 'getPurchaseCustomer',
      summary: 'One customer: purchases, their history, and why they are entitled',
      description:
        'By user id, or by the original transaction id of a purchase that nobody holds. `reason` says why this person is entitled or not, as a code for programs and a sentence for people.',
    },
  })
  .post(
    '/import',
    async ({ ctx, body, set }) => {
      set.status = 202;
      return createImport(ctx, body);
    },
    {
      forApp: { permission: 'integration:manage', errors: ['conflict'] },
      body: ImportBody,
      response: { 202: PurchaseImport },
      detail: {
        operationId: 'createPurchaseImport',
        summary: 'Import purchases that another provider knows',
        description:
          'Each line is verified with the store, with your purchase key, and bound to its user; then its history is read. Who holds a purchase already keeps it, unless the app shares purchases. Sending a line again changes nothing. It runs in the background and goes on after any outage.',
      },
    },
  )
  .get('/import/:importId', ({ ctx, params, query }) => getImport(ctx, params, query), {
    forApp: { permission: 'analytics:read', owns: { importId: importExists } },
    query: ImportQuery,
    response: { 200: PurchaseImport },
    detail: {
      operationId: 'getPurchaseImport',
      summary: 'The progress of an import, and the lines that were refused',
      description: 'waiting + bound + refused = total.',
    },
  })
  .get('/grants', ({ ctx, query }) => listGrants(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: GrantsQuery,
    response: { 200: GrantsPage },
    detail: {
      operationId: 'listPurchaseGrants',
      summary: 'Promotional entitlements, newest first',
      description: 'Those in force have `endedAt` null. `userId` asks for those of one person.',
    },
  })
  .post(
    '/grants',
    async ({ ctx, body, set }) => {
      set.status = 201;
      return grantEntitlement(ctx, body);
    },
    {
      forApp: { permission: 'app:update', errors: ['conflict'] },
      body: GrantBody,
      response: { 201: PurchaseGrant },
      detail: {
        operationId: 'grantEntitlement',
        summary: 'Let a person use a product without paying',
        description:
          'A person has one grant of a product: granting it again changes its end and note. It never counts as paid, in MRR or as a trial. An audit row says who granted it, and `entitlement.changed` is announced.',
      },
    },
  )
  .delete(
    '/grants/:grantId',
    async ({ ctx, params, set }) => {
      await revokeGrant(ctx, params);
      set.status = 204;
    },
    {
      forApp: { permission: 'app:update', owns: { grantId: grantExists } },
      response: { 204: Type.Void() },
      detail: {
        operationId: 'revokeEntitlement',
        summary: 'Revoke a promotional entitlement at once',
        description:
          'Purchases of the person stay as they are. Does nothing to a grant that ended.',
      },
    },
  );

const settingsRoutes = new Elysia({
  prefix: '/v1/apps/:id/purchases',
  detail: { tags: ['Purchases'] },
})
  .use(access)
  .get('/settings', ({ ctx }) => getPurchaseSettings(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: PurchaseSettings },
    detail: {
      operationId: 'getPurchaseSettings',
      summary: 'How purchases of an app are owned, tested and forwarded',
      description:
        'Whose a purchase is when another user presents it, who may use sandbox purchases, and where notifications are forwarded.',
    },
  })
  .patch('/settings', ({ ctx, body }) => patchPurchaseSettings(ctx, body), {
    forApp: { permission: 'integration:manage', errors: ['secret_storage_unavailable'] },
    body: SettingsPatch,
    response: { 200: PatchedSettings },
    detail: {
      operationId: 'updatePurchaseSettings',
      summary: 'Change some of the settings',
      description: 'What is left out stays. Switching forwarding on shows its secret this once.',
    },
  })
  .get('/audit', ({ ctx, query }) => listPurchaseAudit(ctx, query), {
    forApp: { permission: 'app:read' },
    query: AuditQuery,
    response: { 200: AuditPage },
    detail: {
      operationId: 'listPurchaseAudit',
      summary: 'Who held which purchase when, newest first',
      description: 'Every link, claim and transfer of a purchase, a page at a time.',
    },
  });

export const purchasesRoutes = new Elysia()
  .use(connectionRoutes)
  .use(deviceRoutes)
  .use(backendRoutes)
  .use(settingsRoutes);
