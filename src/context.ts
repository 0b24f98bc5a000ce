import type { Deps } from './deps.ts';
import type { App } from './modules/apps/model.ts';
import type { Environment } from './shared/environment.ts';
import type { Actor } from './shared/principal.ts';

/** What every use-case has: the composed dependencies and the request (or run) it works for. */
export type SystemContext = { deps: Deps; requestId: string };

/** Work inside one organization. Every query made with it filters by `orgId`. */
export type OrgContext = SystemContext & { orgId: string; actor: Actor };

/** Work on one app that is known to belong to `orgId`. */
export type AppContext = OrgContext & { app: App };

/** A request of a shipped app. `limits` are the limits that an operator raised for the app. */
export type DeviceContext = SystemContext & {
  orgId: string;
  appId: string;
  keyId: string;
  environment: Environment;
  limits: Readonly<Record<string, number>>;
};

/** A signed-in person; not every route of theirs needs an organization. */
export type UserContext = SystemContext & { userId: string };
