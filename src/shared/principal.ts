import type { Environment } from './environment.ts';
import type { Permission, Role } from './permissions.ts';

/** Organization key (`svk_…`). */
export type OrgKeyPrincipal = {
  kind: 'orgKey';
  keyId: string;
  orgId: string;
  permissions: readonly Permission[];
};

/** `orgId`: null without an active membership. */
export type SessionPrincipal = {
  kind: 'session';
  userId: string;
  orgId: string | null;
  role: Role | null;
  /** Keeps the active organization closed. */
  needsSecondFactor?: boolean;
  /** Likewise: it is opened by its own sign-in. */
  needsCompany?: boolean;
  /** Came by a company's provider: opens no other. */
  onlyOrgId?: string;
  /** Names none of their organizations. */
  isOutside?: true;
};

/** Null: with all that the account has. */
export type Self = { userId: string; orgId: string | null };

/** Publishable key (`svp_…`) in a shipped app. */
export type DevicePrincipal = {
  kind: 'device';
  keyId: string;
  orgId: string;
  appId: string;
  environment: Environment;
};

/** `limits`: the app's raised limits by name. */
export type KnownDevice = DevicePrincipal & { limits: Record<string, number> };

/** Flag key (`svf_…`): reads the flags of one app. */
export type KnownFlagReader = Omit<KnownDevice, 'kind'> & { kind: 'flagReader' };

export type Actor =
  | { kind: 'user'; userId: string }
  | { kind: 'orgKey'; keyId: string }
  | { kind: 'device'; keyId: string }
  | { kind: 'flagReader'; keyId: string }
  | { kind: 'store' }
  | { kind: 'system' };
