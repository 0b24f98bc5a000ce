import { type Static, Type } from '@sinclair/typebox';
import { Named } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

const ConnectBackendInput = Named(
  'ConnectBackendBody',
  {
    existingProjectRef: Type.Optional(
      Text(1, 100, { description: 'A project that is recorded for the organization' }),
    ),
  },
  { examples: [{ existingProjectRef: 'focus-timer-prod' }] },
);
export type ConnectBackendInput = Static<typeof ConnectBackendInput>;

export const ConnectBackendBody = Type.Optional(ConnectBackendInput);

export const ConnectedBackend = Named('ConnectedBackend', {
  appId: Type.String(),
  projectRef: Type.String(),
  url: Type.String({ format: 'uri' }),
  connected: Type.Literal(true),
});
export type ConnectedBackend = Static<typeof ConnectedBackend>;
