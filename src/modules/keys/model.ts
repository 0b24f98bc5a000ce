import { type Static, Type } from '@sinclair/typebox';
import { ENVIRONMENTS } from '../../shared/environment.ts';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';
import { Name } from '../../shared/text.ts';

/** With revoked ones. */
export const MAX_KEYS_PER_APP = 200;

/** `flags`: reads flags (`svf_…`); `events`: all that a shipped app sends. */
export const KEY_KINDS = ['events', 'flags'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const KIND = {
  description:
    '`events` (svp_…) sends what a shipped app sends; `flags` (svf_…) reads the flags of the app, which may be an exposure, and does nothing else.',
};

export const PublishableKey = Named('PublishableKey', {
  id: Type.String(),
  appId: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the secret.' }),
  kind: Type.Optional(OneOf(KEY_KINDS, KIND)),
  environment: Type.Optional(
    OneOf(ENVIRONMENTS, { description: 'What the events sent with it are of.' }),
  ),
  createdAt: DateTime,
  revokedAt: Nullable(DateTime),
});
export type PublishableKey = Static<typeof PublishableKey>;

export const CreateKeyBody = Type.Optional(
  Named(
    'NewPublishableKey',
    {
      name: Type.Optional(Name(0, 60)),
      kind: Type.Optional(
        OneOf(KEY_KINDS, { description: `${KIND.description} events when left out.` }),
      ),
      environment: Type.Optional(
        OneOf(ENVIRONMENTS, {
          description:
            'development for builds of developers and testers: figures leave its events out unless they are asked for. production when left out.',
        }),
      ),
    },
    { examples: [{ name: 'iOS 2.x' }] },
  ),
);
export type CreateKeyBody = Static<typeof CreateKeyBody>;

export const CreatedKey = Named('CreatedPublishableKey', {
  key: PublishableKey,
  secret: Type.String({
    description: 'Shown this once. It can only write events for this app, or only read its flags.',
  }),
});
export type CreatedKey = Static<typeof CreatedKey>;
