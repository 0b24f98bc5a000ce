/**
 * Files of rules, each with the unit tests that must notice a change of it. Rules are pure: what a
 * change of them does can be seen without a server. A file that moves is moved here too.
 */
export const RULES: Readonly<Record<string, readonly string[]>> = {
  // Funnels
  'src/query/funnel/fold.ts': ['test/unit/funnels/fold.test.ts'],
  'src/query/funnel/instant.ts': ['test/unit/funnels/fold.test.ts'],
  'src/query/funnel/tally.ts': ['test/unit/funnels/figures.test.ts'],
  'src/query/funnel/statistics.ts': ['test/unit/funnels/figures.test.ts'],
  'src/modules/funnels/rules/comparison.ts': ['test/unit/funnels/figures.test.ts'],
  'src/modules/funnels/rules/figures.ts': ['test/unit/funnels/figures.test.ts'],
  'src/modules/funnels/rules/verdict.ts': ['test/unit/funnels/figures.test.ts'],
  'src/modules/funnels/window.ts': ['test/unit/funnels/window.test.ts'],
  'src/modules/insights/falls.ts': ['test/unit/insights/rules.test.ts'],
  'src/modules/insights/rules.ts': ['test/unit/insights/rules.test.ts'],
  'src/modules/insights/silence.ts': ['test/unit/insights/rules.test.ts'],
  'src/query/property.ts': ['test/unit/query/property.test.ts'],
  'src/query/fair-queue.ts': ['test/unit/query/fair-queue.test.ts'],
  // Events
  'src/modules/events/never-sent.ts': ['test/unit/events/never-sent.test.ts'],
  'src/modules/events/validate.ts': ['test/unit/events/validate.test.ts'],
  'src/event-store/event/time-rules.ts': ['test/unit/events/time-rules.test.ts'],
  'src/event-store/event/normalize.ts': ['test/unit/events/normalize.test.ts'],
  'src/event-store/event/identity.ts': ['test/unit/events/identity.test.ts'],
  'src/event-store/event/resolve.ts': ['test/unit/events/resolve.test.ts'],
  'src/event-store/intake/counts.ts': ['test/unit/events/resolve.test.ts'],
  'src/event-store/dedup/plan.ts': ['test/unit/events/key-run.test.ts'],
  'src/event-store/maintenance/plan.ts': ['test/unit/events/plan.test.ts'],
  'src/event-store/log/record.ts': ['test/unit/events/record.test.ts'],
  'src/event-store/intake/rejections.ts': ['test/unit/events/intake.test.ts'],
  // Experiments
  'src/modules/experiments/assignment.ts': ['test/unit/experiments/assignment.test.ts'],
  'src/modules/digests/formats.ts': ['test/unit/digests/formats.test.ts'],
  'src/modules/experiments/comparison/answer.ts': ['test/unit/experiments/answer.test.ts'],
  'src/modules/experiments/comparison/metrics.ts': ['test/unit/experiments/answer.test.ts'],
  'src/modules/experiments/comparison/sequence.ts': ['test/unit/experiments/sequence.test.ts'],
  'src/modules/experiments/comparison/sizes.ts': ['test/unit/experiments/answer.test.ts'],
  'src/modules/experiments/transitions.ts': ['test/unit/experiments/transitions.test.ts'],
  'src/modules/experiments/sample-ratio.ts': ['test/unit/experiments/sample-ratio.test.ts'],
  // Purchases
  'src/modules/purchases/digest.ts': [
    'test/unit/purchases/entitlement.test.ts',
    'test/unit/purchases/best.test.ts',
    'test/unit/purchases/entitlement.model.test.ts',
  ],
  'src/modules/purchases/entitlement.ts': [
    'test/unit/purchases/entitlement.test.ts',
    'test/unit/purchases/best.test.ts',
    'test/unit/purchases/entitlement.model.test.ts',
  ],
  'src/modules/purchases/customers/reason.ts': ['test/unit/purchases/reason.test.ts'],
  'src/modules/purchases/import/parse-csv.ts': ['test/unit/purchases/import.test.ts'],
  'src/modules/purchases/overview/chain.ts': ['test/unit/purchases/overview.test.ts'],
  'src/modules/purchases/overview/movement.ts': ['test/unit/purchases/overview.test.ts'],
  'src/modules/purchases/overview/period-length.ts': ['test/unit/purchases/overview.test.ts'],
  'src/modules/purchases/overview/tally.ts': ['test/unit/purchases/overview.test.ts'],
  'src/modules/purchases/changes.ts': ['test/unit/purchases/changes.test.ts'],
  'src/modules/purchases/ownership.ts': ['test/unit/purchases/ownership.test.ts'],
  // Sales
  'src/modules/sales/collection/day-state.ts': ['test/unit/store/day-state.test.ts'],
  'src/modules/sales/collection/plan.ts': [
    'test/unit/store/plan.test.ts',
    'test/unit/store/morning.test.ts',
  ],
  'src/modules/sales/analytics/freshness.ts': ['test/unit/analytics/freshness.test.ts'],
  'src/modules/sales/analytics/window.ts': ['test/unit/analytics/window.test.ts'],
  'src/modules/sales/rates/parse.ts': ['test/unit/rates/parse.test.ts'],
  'src/modules/sales/rates/rate-table.ts': ['test/unit/rates/rate-table.test.ts'],
  'src/providers/store/classify.ts': ['test/unit/store/classify.test.ts'],
  'src/providers/store/map.ts': ['test/unit/store/map.test.ts'],
  'src/providers/store/report/table.ts': [
    'test/unit/store/table.test.ts',
    'test/unit/store/sales-report.test.ts',
  ],
  'src/providers/store/report/subscriptions.ts': ['test/unit/store/subscriptions-report.test.ts'],
  'src/providers/store/report/sales.ts': ['test/unit/store/sales-report.test.ts'],
  // Providers
  'src/providers/publisher/map.ts': ['test/unit/providers/publisher/map.test.ts'],
  'src/providers/backend/map.ts': ['test/unit/providers/backend/map.test.ts'],
  'src/providers/egress/address.ts': ['test/unit/egress/address.test.ts'],
  // Shared
  'src/shared/decimal.ts': ['test/unit/shared/decimal.test.ts'],
  'src/shared/money.ts': ['test/unit/shared/money.test.ts'],
  'src/shared/nearest.ts': ['test/unit/shared/nearest.test.ts'],
  'src/shared/pacific.ts': ['test/unit/shared/pacific.test.ts'],
  'src/shared/permissions.ts': ['test/unit/access-control.test.ts'],
  'src/shared/round.ts': ['test/unit/shared/round.test.ts'],
  'src/shared/client-address.ts': ['test/unit/http/client-address.test.ts'],
  'src/modules/identity/organizations/access-control.ts': ['test/unit/access-control.test.ts'],
  // Logs
  'src/modules/logs/filter.ts': ['test/unit/logs/filter.test.ts'],
  'src/modules/logs/record.ts': ['test/unit/logs/record.test.ts'],
  'src/modules/logs/ring.ts': ['test/unit/logs/ring.test.ts'],
  // Workflows
  'workflows/backend-provisioning.state.ts': ['test/unit/workflows/backend-provisioning.test.ts'],
  'workflows/store-sync.state.ts': ['test/unit/store/sync-state.test.ts'],
  'workflows/webhook-delivery.state.ts': ['test/unit/webhooks/delivery-state.test.ts'],
};
