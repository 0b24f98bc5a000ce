import { experimentExists } from '../modules/experiments/store.ts';
import { funnelExists } from '../modules/funnels/store.ts';
import { publishableKeyExists } from '../modules/keys/store.ts';
import { onboardingExists } from '../modules/onboardings/store.ts';
import { organizationKeyExists } from '../modules/organization-keys/store.ts';
import { deliveryExists, webhookExists } from '../modules/webhooks/store.ts';
import type { Db } from '../storage/postgres.ts';

export type ResourceScope = { orgId: string; appId: string | null };

/** Answers whether the id in a path belongs to the caller's organization (and app). */
type Finder = (db: Db, scope: ResourceScope, id: string) => Promise<boolean>;

/** The things that stand in a path beside an app, each with the look-up of its owner. */
export const RESOURCES = {
  funnel: funnelExists,
  publishableKey: publishableKeyExists,
  onboarding: onboardingExists,
  experiment: experimentExists,
  webhook: webhookExists,
  webhookDelivery: deliveryExists,
  organizationKey: organizationKeyExists,
} as const satisfies Record<string, Finder>;

export type ResourceName = keyof typeof RESOURCES;
