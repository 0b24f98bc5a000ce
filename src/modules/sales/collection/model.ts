import { type Static, Type } from '@sinclair/typebox';
import { StoreState } from '../../../shared/app.ts';
import { EXAMPLE_PRIVATE_KEY } from '../../../shared/app-store-token.ts';
import { Named, Nullable, OneOf } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';

export const CONNECTION_STATES = ['connected', 'invalid', 'revoked'] as const;
const TEAM_TYPES = ['COMPANY_OR_ORGANIZATION', 'INDIVIDUAL'] as const;
const TEAM_ID_PATTERN = '^[A-Za-z0-9]{10}$';

export const StoreConnection = Named(
  'StoreConnection',
  {
    issuerId: Type.String(),
    keyId: Type.String(),
    vendorNumber: Type.String(),
    status: OneOf(CONNECTION_STATES),
    connectedAt: Type.String(),
    lastVerifiedAt: Nullable(Type.String()),
    lastError: Nullable(Type.String()),
    teamId: Nullable(Type.String()),
    teamType: Nullable(OneOf(TEAM_TYPES)),
  },
  { description: 'The private key is never returned.' },
);
export type StoreConnection = Static<typeof StoreConnection>;

export const ConnectBody = Named(
  'ConnectStoreBody',
  {
    issuerId: Text(8, 100),
    keyId: Text(4, 40),
    vendorNumber: Text(4, 20),
    privateKey: Text(100, 8000, { description: 'The .p8 file of the key, PKCS#8 PEM' }),
    teamId: Type.Optional(Type.String({ pattern: TEAM_ID_PATTERN })),
    teamType: Type.Optional(OneOf(TEAM_TYPES)),
  },
  {
    examples: [
      {
        issuerId: '57246542-96fe-1a63-e053-0824d011072a',
        keyId: '2X9R4HXF34',
        vendorNumber: '85012345',
        privateKey: EXAMPLE_PRIVATE_KEY,
      },
    ],
  },
);
export type ConnectInput = Static<typeof ConnectBody>;

export const Connected = Named('ConnectedStore', {
  connection: StoreConnection,
  discoveredApps: Type.Integer({ minimum: 0 }),
});
export type Connected = Static<typeof Connected>;

export const StoreAppLink = Named('StoreAppLink', {
  storeAppId: Type.String(),
  bundleId: Type.String(),
  name: Type.String(),
  appId: Nullable(Type.String()),
  linkedAt: Nullable(Type.String()),
  storeState: Nullable(StoreState),
  storeVersion: Nullable(Type.String()),
  storeCheckedAt: Nullable(Type.String()),
});
export type StoreAppLink = Static<typeof StoreAppLink>;

export const RefreshedApps = Named('RefreshedStoreApps', { count: Type.Integer({ minimum: 0 }) });

export const LinkBody = Named(
  'LinkStoreAppBody',
  {
    storeAppId: Text(1, 40),
    appId: Nullable(Text(1, 64, { description: 'null unlinks' })),
  },
  { examples: [{ storeAppId: '1234567890', appId: 'app_01kajw5fr2fgqt7v3s6z8x9a0b' }] },
);
export type LinkInput = Static<typeof LinkBody>;
export const Linked = Named('LinkedStoreApp', { linked: Type.Boolean() });

export const ImportBody = Named(
  'ImportAppBody',
  { storeAppId: Text(1, 40) },
  { examples: [{ storeAppId: '1234567890' }] },
);
export type ImportInput = Static<typeof ImportBody>;
