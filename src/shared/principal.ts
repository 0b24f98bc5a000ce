import type { Environment } from './environment.ts';
import type { Permission, Role } from './permissions.ts';

/** A server that holds an organization key (`svk_…`). */
export type OrgKeyPrincipal = {
  kind: 'orgKey';
  keyId: string;
  orgId: string;
  permissions: readonly Permission[];
};

/** A signed-in person; `orgId` is null without an active organization they are a member of. */
export type SessionPrincipal = {
  kind: 'session';
  userId: string;
  orgId: string | null;
  role: Role | null;
};

/** A shipped app that holds a publishable key (`svp_…`). */
export type DevicePrincipal = {
  kind: 'device';
  keyId: string;
  orgId: string;
  appId: string;
  environment: Environment;
};

/** The app that an unrevoked key writes for, with its raised limits by name. */
export type KnownDevice = DevicePrincipal & { limits: Record<string, number> };

/** Who did something, for audit rows and logs. */
export type Actor =
  | { kind: 'user'; userId: string }
  | { kind: 'orgKey'; keyId: string }
  | { kind: 'device'; keyId: string }
  | { kind: 'store' }
  | { kind: 'system' };
