import { type Static, Type } from '@sinclair/typebox';
import { StoreState } from '../../../shared/app.ts';
import { Nullable, OneOf } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';

export const CONNECTION_STATES = ['connected', 'invalid', 'revoked'] as const;
const TEAM_TYPES = ['COMPANY_OR_ORGANIZATION', 'INDIVIDUAL'] as const;
const TEAM_ID_PATTERN = '^[A-Za-z0-9]{10}$';

export const StoreConnection = Type.Object(
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

export const ConnectBody = Type.Object({
  issuerId: Text(8, 100),
  keyId: Text(4, 40),
  vendorNumber: Text(4, 20),
  privateKey: Text(100, 8000, { description: 'The .p8 file of the key, PKCS#8 PEM' }),
  teamId: Type.Optional(Type.String({ pattern: TEAM_ID_PATTERN })),
  teamType: Type.Optional(OneOf(TEAM_TYPES)),
});
export type ConnectInput = Static<typeof ConnectBody>;

export const Connected = Type.Object({
  connection: StoreConnection,
  discoveredApps: Type.Integer({ minimum: 0 }),
});
export type Connected = Static<typeof Connected>;

export const StoreAppLink = Type.Object({
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

export const RefreshedApps = Type.Object({ count: Type.Integer({ minimum: 0 }) });

export const LinkBody = Type.Object({
  storeAppId: Text(1, 40),
  appId: Nullable(Text(1, 64, { description: 'null unlinks' })),
});
export type LinkInput = Static<typeof LinkBody>;
export const Linked = Type.Object({ linked: Type.Boolean() });

export const ImportBody = Type.Object({ storeAppId: Text(1, 40) });
export type ImportInput = Static<typeof ImportBody>;
