import { Type } from '@sinclair/typebox';
import { answerIn, jsonOrCsv } from '../../http/csv.ts';
import { taggedRoutes } from '../../http/route.ts';
import { accepted, created, removed } from '../../http/acts.ts';
import { getEntitlement } from './entitlement/get-entitlement.ts';
import { grantEntitlement, listGrants, revokeGrant } from './entitlement/grants.ts';
import { cohortsCsv } from './cohorts/csv.ts';
import { getRevenueCohorts } from './cohorts/get.ts';
import { CohortsQuery, RevenueCohorts } from './cohorts/model.ts';
import { createImport, getImport } from './import/create.ts';
import { ImportBody, ImportQuery, PurchaseImport } from './import/model.ts';
import { grantExists, importExists } from './index.ts';
import { GrantBody, GrantsPage, GrantsQuery, PurchaseGrant } from './model/grant.ts';
import { BackendEntitlementQuery, Entitlement } from './model/wire.ts';
import { getPurchasesOverview } from './overview/get.ts';
import { OverviewQuery, PurchasesOverview } from './overview/model.ts';
import { RecentPurchases, RecentPurchasesQuery } from './overview/recent.model.ts';
import { listRecentPurchases } from './overview/recent.ts';
import { revenueCsv } from './revenue/csv.ts';
import { getPurchaseRevenue } from './revenue/get.ts';
import { PurchaseRevenue, RevenueQuery } from './revenue/model.ts';

export const backendRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases')
  .get('/entitlement', ({ ctx, query }) => getEntitlement({ ...ctx, appId: ctx.app.id }, query), {
    forApp: { permission: 'analytics:read', errors: ['not_found'] },
    query: BackendEntitlementQuery,
    response: { 200: Entitlement },
    detail: {
      operationId: 'getPersonEntitlement',
      summary: 'Whether a person may use what they paid for, for your backend',
      description:
        'The same answer that the app of this person gets with its publishable key. A promotional grant is `active` with `ownership` and `chainId` null.',
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
        "Counted from what the store signed, so figures are live and need no report; `reported` says how many of the subscribers in the store's own report are known by name. Production, not family-shared, auto-renewable subscriptions count, unless a figure says otherwise. MRR is each active paid one's customer price × months⁻¹, before commission and tax; a transaction is converted once, at the ECB rate of its purchase day or the last of the seven days before. Movement is an identity: start + new + returned + expansion − contraction − churned + exchange = end. Days are of UTC. `docs/purchases.md` says what each figure means and why the store's own totals differ.",
    },
  })
  .get(
    '/revenue',
    async ({ ctx, request, query, set }) => {
      const revenue = await getPurchaseRevenue(ctx, query);
      return answerIn({ request, set }, { json: () => revenue, csv: () => revenueCsv(revenue) });
    },
    {
      forApp: { permission: 'analytics:read' },
      query: RevenueQuery,
      detail: {
        operationId: 'getPurchaseRevenue',
        summary:
          'Revenue by day, product, country, offer and kind; with Accept: text/csv the points as CSV',
        description:
          "Cash, from what the store signed: each paid transaction on the day that it was bought, subscriptions and one-time purchases, without family sharing. Refunds stand twice: on the day of the purchase and on their own. Each transaction is converted once, at the ECB rate of its purchase day or the last of the seven days before, and rounded to the minor unit, so that all sums agree; what has no rate stands apart. `reported` holds the store's own sales of the same dates beside it and says why they differ.",
        responses: { 200: { description: 'The revenue.', content: jsonOrCsv(PurchaseRevenue) } },
      },
    },
  )
  .get(
    '/cohorts',
    async ({ ctx, request, query, set }) => {
      const cohorts = await getRevenueCohorts(ctx, query);
      return answerIn({ request, set }, { json: () => cohorts, csv: () => cohortsCsv(cohorts) });
    },
    {
      forApp: { permission: 'analytics:read' },
      query: CohortsQuery,
      detail: {
        operationId: 'getRevenueCohorts',
        summary:
          'What people are worth by when they came; with Accept: text/csv the periods as CSV',
        description:
          "People by the interval in which they were first seen, began their first trial or paid first, and for each interval since: net revenue a person and a payer, the share that paid, and how many of their subscriptions are still paid. Everything adds up over the periods; refunds count by their own day; a period that is not over is null, and under fifty people there are only counts. Shares have Wilson's interval, means one of the normal distribution corrected for skewness (Johnson), both 95 %, means only from twenty payers on. `money` says where all of the revenue is, that of nobody known included.",
        responses: { 200: { description: 'The cohorts.', content: jsonOrCsv(RevenueCohorts) } },
      },
    },
  )
  .get('/recent', ({ ctx, query }) => listRecentPurchases(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: RecentPurchasesQuery,
    response: { 200: RecentPurchases },
    detail: {
      operationId: 'listRecentPurchases',
      summary: 'What came since a moment: new subscribers, refunds, failed payments',
      description:
        "Of all customers of an app, newest first, a sentence each, by the store's clock and without family members. Amounts are in the currency of each purchase; `totals` adds up all of them by kind and currency, also those beyond the limit.",
    },
  })
  .post('/import', accepted(createImport), {
    forApp: { permission: 'integration:manage', errors: ['conflict'] },
    body: ImportBody,
    response: { 202: PurchaseImport },
    detail: {
      operationId: 'createPurchaseImport',
      summary: 'Import purchases that another provider knows',
      description:
        'Each line is verified with the store, with your purchase key, and bound to its user; then its history is read. Who holds a purchase already keeps it, unless the app shares purchases. Sending a line again changes nothing. It runs in the background and goes on after any outage.',
    },
  })
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
  .post('/grants', created(grantEntitlement), {
    forApp: { permission: 'app:update', errors: ['conflict'] },
    body: GrantBody,
    response: { 201: PurchaseGrant },
    detail: {
      operationId: 'grantEntitlement',
      summary: 'Let a person use a product, or what a name stands for, without paying',
      description:
        'A person has one grant of a product or name: granting it again changes its end and note. One of a name follows the name. It never counts as paid, in MRR or as a trial. An audit row says who granted it, and `entitlement.changed` is announced.',
    },
  })
  .delete('/grants/:grantId', removed(revokeGrant), {
    forApp: { permission: 'app:update', owns: { grantId: grantExists } },
    response: { 204: Type.Void() },
    detail: {
      operationId: 'revokeEntitlement',
      summary: 'Revoke a promotional entitlement at once',
      description: 'Purchases of the person stay as they are. Does nothing to a grant that ended.',
    },
  });
