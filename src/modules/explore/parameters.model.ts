import { type Static, Type } from '@sinclair/typebox';
import { MAX_SERIES_NAMES } from '../../query/series/model.ts';
import { EnvironmentParameter } from '../../shared/environment.ts';
import { QueryInteger } from '../../shared/schema.ts';

export const MAX_WINDOW_DAYS = 400;
export const DEFAULT_WINDOW_DAYS = 28;

const Moment = Type.String({
  maxLength: 40,
  description: 'A date such as 2026-11-21 or an ISO 8601 date-time with an offset.',
});

export const WindowParameters = Type.Object({
  days: Type.Optional(
    QueryInteger(1, MAX_WINDOW_DAYS, {
      description:
        'Whole local days before today; today comes on top, as far as it is over. Not together with from and to.',
    }),
  ),
  from: Type.Optional(Moment),
  to: Type.Optional({ ...Moment, description: 'A date is included, a date-time is not.' }),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
  ),
  environment: EnvironmentParameter,
});
export type WindowParameters = Static<typeof WindowParameters>;

const NAME = '[a-z][a-z0-9_]{0,63}';

export const NameParameter = (description: string) =>
  Type.String({ pattern: `^${NAME}$`, description });

export const NamesParameter = Type.String({
  pattern: `^${NAME}(,${NAME}){0,${MAX_SERIES_NAMES - 1}}$`,
  description: `Names of events, up to ${MAX_SERIES_NAMES}, with commas between; a series each. All events of clients when left out.`,
});

export const Hint = Type.Optional(
  Type.String({
    description:
      'What the question names and the app never sent (an event, a property, a value), with the nearest that it did send.',
  }),
);
