import { Type } from '@sinclair/typebox';
import { DEFAULT_SCOPE, ENVIRONMENT_SCOPES } from '../../shared/environment.ts';
import { OneOf } from '../../shared/schema.ts';
import { MAX_WINDOW_DAYS } from '../explore/index.ts';

const Moment = Type.String({ maxLength: 40 });

export const Window = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      description: 'Before today, or before now for funnels. Not together with from and to.',
    }),
  ),
  from: Type.Optional({
    ...Moment,
    description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
  }),
  to: Type.Optional({ ...Moment, description: 'A date is included, a date-time is not.' }),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
  ),
  environment: Type.Optional(OneOf(ENVIRONMENT_SCOPES, { whenLeftOut: DEFAULT_SCOPE })),
};
