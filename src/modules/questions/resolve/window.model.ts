import { Type } from '@sinclair/typebox';
import {
  DEFAULT_SCOPE,
  ENVIRONMENT_SCOPES,
  EnvironmentParameter,
  type EnvironmentScope,
} from '../../../shared/environment.ts';
import { OneOf, QueryInteger } from '../../../shared/schema.ts';

export const MAX_WINDOW_DAYS = 400;

const BOUNDS = {
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 40, description: 'A date is included, a date-time is not.' }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
  ),
};

export const Window = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      description: 'Before today, or before now for funnels. Not together with from and to.',
    }),
  ),
  ...BOUNDS,
  environment: Type.Optional(OneOf(ENVIRONMENT_SCOPES, { whenLeftOut: DEFAULT_SCOPE })),
};

/** As parameters of an address. */
export const windowParameters = (days: Parameters<typeof QueryInteger>[2]) => ({
  days: Type.Optional(QueryInteger(1, MAX_WINDOW_DAYS, days)),
  ...BOUNDS,
  environment: EnvironmentParameter,
});

export type Windowed = {
  days?: number;
  from?: string;
  to?: string;
  timezone?: string;
  environment?: EnvironmentScope;
};
