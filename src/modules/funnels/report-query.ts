import { type Static, Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { EnvironmentParameter } from '../../shared/environment.ts';
import { OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const MAX_WINDOW_DAYS = 400;
export const DEFAULT_WINDOW_DAYS = 30;
export const MAX_CONVERSION_HOURS = 2_160;

const Moment = Type.String({
  maxLength: 40,
  description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
});

/** Which paths count: shared by the report and by the lists of people behind its figures. */
export const FunnelSelection = Type.Object({
  days: Type.Optional(
    t.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      description: `Counted back from now, 24 hours each; ${DEFAULT_WINDOW_DAYS} when nothing is given. Not together with from and to.`,
    }),
  ),
  from: Type.Optional(Moment),
  to: Type.Optional({ ...Moment, description: 'A date is included, a date-time is not.' }),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'IANA name, of dates and intervals. UTC by default.',
    }),
  ),
  platform: Type.Optional(Text(1, 40)),
  appVersion: Type.Optional(Text(1, 40)),
  country: Type.Optional(Text(1, 40)),
  environment: EnvironmentParameter,
  windowHours: Type.Optional(
    t.Integer({
      minimum: 1,
      maximum: MAX_CONVERSION_HOURS,
      description: "Time to convert, from step 1. The app's setting by default, else 336.",
    }),
  ),
});
export type FunnelSelection = Static<typeof FunnelSelection>;

export const INTERVALS = ['day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

export const ReportQuery = Type.Composite([
  FunnelSelection,
  Type.Object({
    breakdown: Type.Optional(
      Type.String({
        pattern: '^(platform|appVersion|country|arm|prop:[\\s\\S]{1,64})$',
        description:
          'platform, appVersion, country, prop:NAME: the value on the step-1 event; arm: of the experiment that runs, or ran last.',
      }),
    ),
    interval: Type.Optional(OneOf(INTERVALS, { description: 'Adds the trend.' })),
  }),
]);
export type ReportQuery = Static<typeof ReportQuery>;

export const DEFAULT_PEOPLE_PAGE = 100;

export const PeopleQuery = Type.Composite([
  FunnelSelection,
  Type.Object({
    step: t.Integer({ minimum: 1, maximum: 12, description: 'The `index` of a step.' }),
    dropped: Type.Optional(
      t.BooleanString({ description: 'Those lost between the step before and this one.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
    limit: Type.Optional(
      t.Integer({
        minimum: 1,
        maximum: 1_000,
        description: `${DEFAULT_PEOPLE_PAGE} when left out`,
      }),
    ),
  }),
]);
export type PeopleQuery = Static<typeof PeopleQuery>;
