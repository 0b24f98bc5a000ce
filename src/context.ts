import type { Config } from './config.ts';
import type { Logger } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Telemetry } from './observability/telemetry.ts';
import type { BackendProvider } from './providers/backend/port.ts';
import type { Egress } from './providers/egress/port.ts';
import type { Publisher } from './providers/publisher/port.ts';
import type { Store } from './providers/store/port.ts';
import type { SignatureVerifier, StoreServer } from './providers/store-server/port.ts';
import type { ChainToAsk, Revocation } from './providers/store-server/revocation.ts';
import type { App } from './shared/app.ts';
import type { Environment } from './shared/environment.ts';
import type { Role } from './shared/permissions.ts';
import type { Actor } from './shared/principal.ts';
import type { Clock } from './shared/time.ts';
import type { ObjectStore } from './storage/object-store/port.ts';
import type { Sql } from './storage/postgres.ts';
import type { Secrets } from './storage/secrets/secrets.ts';
import type { TemporalGateway } from './temporal/gateway.ts';

/**
 * What use-cases reach the outside through, built once per process by `src/app/deps.ts`. A folder
 * above that brings a service declares it beside that service (`declare module`): this file knows
 * no chapter.
 */
export interface Deps {
  config: Config;
  log: Logger;
  clock: Clock;
  sql: Sql;
  secrets: Secrets;
  /** Of the row in the table `installation`. */
  installationId: () => Promise<string>;
  temporal: TemporalGateway;
  metrics: Metrics;
  telemetry: Telemetry;
  egress: Egress;
  /** Event files and other immutable objects. */
  objects: ObjectStore;
  /** Null when no publishing provider is configured. */
  publisher: Publisher | null;
  /** Null when no backend provider is configured. */
  backendProvider: BackendProvider | null;
  store: Store;
  storeServer: StoreServer;
  signatures: SignatureVerifier;
  /** Asks the responders of the authorities about a chain that leads to a pinned root. */
  askRevocation: (chain: ChainToAsk, now: Date) => Promise<Revocation>;
  /** Runs in reverse order at the end of the process. */
  close: () => Promise<void>;
}

/** The name of something that a use-case reaches the outside through. */
export type Need = keyof Deps;

/**
 * What every use-case has: the request (or run) it works for, and those of the composed dependencies
 * that its signature names. All of them only where a context is made or handed on.
 */
export type SystemContext<Needs extends Need = Need> = {
  deps: Pick<Deps, Needs>;
  requestId: string;
  /** Of a request: aborted when its caller has left. */
  signal?: AbortSignal | undefined;
};

/** Work inside one organization. Every query made with it filters by `orgId`. */
export type OrgContext<Needs extends Need = Need> = SystemContext<Needs> & {
  orgId: string;
  actor: Actor;
};

/** Work on one app that is known to belong to `orgId`. */
export type AppContext<Needs extends Need = Need> = OrgContext<Needs> & { app: App };

/** A request of a shipped app. `limits` are the limits that an operator raised for the app. */
export type DeviceContext<Needs extends Need = Need> = SystemContext<Needs> & {
  orgId: string;
  appId: string;
  keyId: string;
  environment: Environment;
  limits: Readonly<Record<string, number>>;
};

/** A signed-in person; not every route of theirs needs an organization. */
export type UserContext<Needs extends Need = Need> = SystemContext<Needs> & { userId: string };

/** A request to the account routes: better-auth reads the session cookie itself. */
export type VisitorContext<Needs extends Need = Need> = SystemContext<Needs> & {
  headers: Headers;
  address: string;
};

/** An answer that also sets (or clears) cookies. */
export type WithCookies<T> = { value: T; cookies: string[] };

/** A signed-in member acting on their active organization. */
export type MemberContext<Needs extends Need = Need> = OrgContext<Needs> &
  VisitorContext<Needs> & { userId: string; role: Role };
