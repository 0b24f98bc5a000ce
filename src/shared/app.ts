import { FIELD_RULES } from './field-rules.ts';
import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from './schema.ts';

export type AppScope = { orgId: string; appId: string };

export const STORE_STATES = [
  'not_submitted',
  'waiting_for_review',
  'in_review',
  'rejected',
  'pending_release',
  'live',
  'removed',
  'unknown',
] as const;

export const REGIONS = ['us-east-1', 'us-west-1', 'eu-west-1'] as const;
export const DEFAULT_REGION = 'us-east-1';

export const StoreState = OneOf(STORE_STATES);
export type StoreState = Static<typeof StoreState>;
export type AppStatus = 'provisioning' | 'active' | 'paused' | 'error';
export type AppSource = 'built_here' | 'imported' | 'website';

export const Slug = Type.String(FIELD_RULES.appSlug);

export const App = Named('App', {
  id: Type.String(),
  orgId: Type.String(),
  slug: Slug,
  displayName: Type.String(),
  region: OneOf(REGIONS),
  status: OneOf(['provisioning', 'active', 'paused', 'error']),
  source: OneOf(['built_here', 'imported', 'website']),
  bundleId: Nullable(Type.String()),
  storeAppId: Nullable(Type.String()),
  iconUrl: Nullable(Type.String()),
  store: Nullable(
    Type.Object({
      state: StoreState,
      version: Nullable(Type.String()),
      checkedAt: Nullable(Type.String()),
    }),
  ),
  createdAt: DateTime,
  backend: Nullable(Type.Object({ projectRef: Type.String(), connected: Type.Boolean() })),
});
export type App = Static<typeof App>;

export const withApp = <C extends { orgId: string }>(ctx: C, app: App) => ({
  ...ctx,
  ...{ app, scope: { orgId: ctx.orgId, appId: app.id } },
});
