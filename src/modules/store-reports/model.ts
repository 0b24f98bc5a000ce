import { type Static, Type } from '@sinclair/typebox';
import { APP_REPORTS, REPORT_ACCESSES } from '../../providers/store/port.ts';
import { DateTime, Named, Nullable, OneOf, WindowDay } from '../../shared/schema.ts';

/** For each report in an answer. */
export const ROWS_MAX = 200;

export const StoreReportRequest = Named('StoreReportRequest', {
  access: OneOf(REPORT_ACCESSES),
  requestedAt: DateTime,
  isStopped: Type.Boolean({
    description: 'By the store, for want of readers, or deleted there.',
  }),
  triedAt: Nullable(DateTime),
  lastError: Nullable(Type.String()),
});
export type StoreReportRequest = Static<typeof StoreReportRequest>;

export const NewStoreReportRequest = Named(
  'NewStoreReportRequest',
  { access: OneOf(REPORT_ACCESSES) },
  { examples: [{ access: 'ONGOING' }] },
);

export const StoreReportsQuery = Type.Object({
  from: Type.Optional(WindowDay),
  to: Type.Optional(WindowDay),
});
export type StoreReportsQuery = Static<typeof StoreReportsQuery>;

const Row = Named('StoreReportRow', {
  day: Nullable(Type.String({ description: 'Of a snapshot of states; null for sums.' })),
  kind: Type.String({
    description: 'Event, download type, state or sub type, as the store writes.',
  }),
  grouping: Type.String(),
  source: Type.String(),
  version: Type.String(),
  count: Type.Number(),
  seconds: Type.Number(),
});

const Table = Named('StoreReportTable', {
  report: OneOf(APP_REPORTS),
  days: Type.Array(Type.String(), { description: 'With rows. Another day is unknown, not zero.' }),
  lastError: Nullable(Type.String({ description: 'Why it is not collected.' })),
  rows: Type.Array(Row, { description: `The ${ROWS_MAX} largest.` }),
});

const Second = Named('StoreFunnelComparison', {
  source: OneOf(['sales', 'subscription_events']),
  days: Type.Integer({ description: 'That both sources have.' }),
  here: Type.Number({ description: 'Of the analytics reports, on those days.' }),
  there: Type.Number(),
  difference: Type.Number({ description: 'here − there.' }),
});

export const FUNNEL_STEPS = ['impression', 'page_view', 'download', 'trial', 'paid'] as const;

const Step = Named('StoreFunnelStep', {
  step: OneOf(FUNNEL_STEPS),
  count: Nullable(Type.Number({ description: 'null where no day of the window has the report.' })),
  other: Nullable(Second),
});
export type StoreFunnelStep = Static<typeof Step>;

export const StoreReports = Named('StoreReports', {
  from: Type.String(),
  to: Type.String(),
  requests: Type.Array(StoreReportRequest),
  tables: Type.Array(Table),
  funnel: Type.Array(Step, {
    description: 'Events of the store’s days, not the same people: steps are no rates.',
  }),
});
export type StoreReports = Static<typeof StoreReports>;
