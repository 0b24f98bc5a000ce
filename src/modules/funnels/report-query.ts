import { type Static, Type } from '@sinclair/typebox';
import { DIMENSION_NAMES, DIMENSION_PATTERN } from '../../query/selection/dimension.ts';
import { EnvironmentParameter } from '../../shared/environment.ts';
import { OneOf, QueryBoolean, QueryInteger } from '../../shared/schema.ts';
import { FilterParameters } from '../events/index.ts';

export const MAX_WINDOW_DAYS = 400;
export const DEFAULT_WINDOW_DAYS = 30;
export const MAX_CONVERSION_HOURS = 2_160;

const Moment = Type.String({
  maxLength: 40,
  description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
});

export const FunnelParameters = Type.Composite([
  FilterParameters,
  Type.Object({
    days: Type.Optional(
      QueryInteger(1, MAX_WINDOW_DAYS, {
        description: 'Counted back from now, 24 hours each. Not together with from and to.',
        whenLeftOut: DEFAULT_WINDOW_DAYS,
      }),
    ),
    from: Type.Optional(Moment),
    to: Type.Optional({ ...Moment, description: 'A date is included, a date-time is not.' }),
    timezone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'IANA name, of dates and intervals; the zone of the app when left out.',
      }),
    ),
    people: Type.Optional(
      OneOf(['all', 'new'], {
        description:
          'new: only people without an event before the window, so that who has been there for long does not count as lost at a step that is done once.',
        whenLeftOut: 'all',
      }),
    ),
    environment: EnvironmentParameter,
    windowHours: Type.Optional(
      QueryInteger(1, MAX_CONVERSION_HOURS, {
        description: "Time to convert, from step 1. The app's setting by default, else 336.",
      }),
    ),
  }),
]);
export type FunnelParameters = Static<typeof FunnelParameters>;

export const INTERVALS = ['day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

export const ReportQuery = Type.Composite([
  FunnelParameters,
  Type.Object({
    breakdown: Type.Optional(
      Type.String({
        pattern: `^(arm|${DIMENSION_PATTERN})$`,
        description: `${DIMENSION_NAMES}: the value on the step-1 event; arm: of the experiment that runs, or ran last.`,
      }),
    ),
    interval: Type.Optional(OneOf(INTERVALS, { description: 'Adds the trend.' })),
    compare: Type.Optional(
      OneOf(['previous'], {
        description: 'Adds the comparison with the window of the same length directly before.',
      }),
    ),
  }),
]);
export type ReportQuery = Static<typeof ReportQuery>;

export const DEFAULT_PEOPLE_PAGE = 100;

export const PeopleQuery = Type.Composite([
  FunnelParameters,
  Type.Object({
    step: QueryInteger(1, 12, { description: 'The `index` of a step.' }),
    dropped: Type.Optional(
      QueryBoolean({ description: 'Those lost between the step before and this one.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
    limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: DEFAULT_PEOPLE_PAGE })),
  }),
]);
export type PeopleQuery = Static<typeof PeopleQuery>;
