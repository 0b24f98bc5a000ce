import type { Config } from './config.ts';
import type { Logger } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Telemetry } from './observability/telemetry.ts';
import type { BackendProvider } from './providers/backend/port.ts';
import type { Egress } from './providers/egress/port.ts';
import type { PlayStore, PushVerifier } from './providers/play-store/port.ts';
import type { Publisher } from './providers/publisher/port.ts';
import type { Store } from './providers/store/port.ts';
import type { SignatureVerifier, StoreServer } from './providers/store-server/port.ts';
import type { ChainToAsk, Revocation } from './providers/store-server/revocation.ts';
import type { App, AppScope } from './shared/app.ts';
import type { Environment } from './shared/environment.ts';
import type { Role } from './shared/permissions.ts';
import type { Actor, Self } from './shared/principal.ts';
import type { Clock } from './shared/time.ts';
import type { ObjectStore } from './storage/object-store/port.ts';
import type { Sql } from './storage/postgres.ts';
import type { Secrets } from './storage/secrets/secrets.ts';
import type { TemporalGateway } from './temporal/gateway.ts';

/** `src/app/deps.ts` adds what chapters provide. */
export interface Deps {
  config: Config;
  log: Logger;
  clock: Clock;
  sql: Sql;
  secrets: Secrets;
  installationId: () => Promise<string>;
  temporal: TemporalGateway;
  metrics: Metrics;
  telemetry: Telemetry;
  egress: Egress;
  objects: ObjectStore;
  publisher: Publisher | null;
  backendProvider: BackendProvider | null;
  store: Store;
  storeServer: StoreServer;
  playStore: PlayStore;
  playPushes: PushVerifier;
  signatures: SignatureVerifier;
  /** By OCSP, about a chain to a pinned root. */
  askRevocation: (chain: ChainToAsk, now: Date) => Promise<Revocation>;
  /** In reverse order of opening. */
  close: () => Promise<void>;
}

export type Need = keyof Deps;

/** Without a query process and a log. */
export type Alone = Exclude<Need, 'askSql' | 'events' | 'queries'>;

export type SystemContext<Needs extends Need = Need> = {
  deps: Pick<Deps, Needs>;
  requestId: string;
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal | undefined;
};

/** Every query filters by `orgId`. */
export type OrgContext<Needs extends Need = Need> = SystemContext<Needs> & {
  orgId: string;
  actor: Actor;
  /** Null of a key. */
  role?: Role | null;
};

export type AppContext<Needs extends Need = Need> = OrgContext<Needs> & {
  app: App;
  scope: AppScope;
};

/** `limits`: raised by an operator. */
export type DeviceContext<Needs extends Need = Need> = SystemContext<Needs> & {
  orgId: string;
  appId: string;
  keyId: string;
  environment: Environment;
  limits: Readonly<Record<string, number>>;
};

/** Not every route needs an organization. */
export type UserContext<Needs extends Need = Need> = SystemContext<Needs> & {
  userId: string;
};

/** better-auth reads the session cookie itself. */
export type VisitorContext<Needs extends Need = Need> = SystemContext<Needs> & {
  headers: Headers;
  address: string;
};

export type SelfContext<Needs extends Need = Need> = VisitorContext<Needs> & { self: Self };

export type WithCookies<T> = { value: T; cookies: string[] };

/** Acts on the active organization. */
export type MemberContext<Needs extends Need = Need> = OrgContext<Needs> &
  VisitorContext<Needs> &
  UserContext<Needs> & {
    role: Role;
    /** Set for a session that opens no other. */
    onlyOrgId?: string | undefined;
  };
