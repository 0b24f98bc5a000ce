import { type Static, Type } from '@sinclair/typebox';
import { Conditions } from '../../../query/selection/conditions.ts';
import { Named } from '../../../shared/schema.ts';

const STRICT = { additionalProperties: false };

const EventName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' });

export const Selection = Named(
  'EventSelection',
  {
    events: Type.Optional(
      Type.Array(EventName, {
        minItems: 1,
        maxItems: 6,
        description: 'Names, any of which; anything that clients send when left out.',
      }),
    ),
    where: Type.Optional(Conditions),
  },
  { ...STRICT, description: 'Which events are meant.' },
);
export type Selection = Static<typeof Selection>;
