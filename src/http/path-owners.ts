import type { App } from '../shared/app.ts';
import type { Db } from '../storage/postgres.ts';

/** The things that stand in a path beside an app. */
export type ResourceName =
  | 'funnel'
  | 'publishableKey'
  | 'onboarding'
  | 'experiment'
  | 'webhook'
  | 'webhookDelivery'
  | 'organizationKey';

export type ResourceScope = { orgId: string; appId: string | null };

/** Look-ups of the owner of an id in a path, by the chapters. */
export type PathOwners = {
  app: (db: Db, orgId: string, appId: string) => Promise<App | null>;
  resources: Readonly<
    Record<ResourceName, (db: Db, scope: ResourceScope, id: string) => Promise<boolean>>
  >;
};
