import { type Static, Type } from '@sinclair/typebox';
import { STORE_STATES } from '../../providers/store/port.ts';
import { DateTime, Nullable, OneOf } from '../../shared/schema.ts';
import { AnyText, Name } from '../../shared/text.ts';

const REGIONS = ['us-east-1', 'us-west-1', 'eu-west-1'] as const;
export const DEFAULT_REGION = 'us-east-1';

export const StoreState = OneOf(STORE_STATES);
export type StoreState = Static<typeof StoreState>;
export type AppStatus = 'provisioning' | 'active' | 'paused' | 'error';
export type AppSource = 'built_here' | 'imported' | 'website';

export const Slug = Type.String({
  minLength: 3,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9-]*[a-z0-9]$',
});

const APP_EXAMPLE = {
  id: 'app_01kajw5fr2fgqt7v3s6z8x9a0b',
  orgId: 'Zr3kQ0wVb5',
  slug: 'focus-timer',
  displayName: 'Focus Timer',
  region: 'us-east-1',
  status: 'active',
  source: 'built_here',
  bundleId: null,
  storeAppId: null,
  iconUrl: null,
  store: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  backend: null,
};

export const App = Type.Object(
  {
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
  },
  { examples: [APP_EXAMPLE] },
);
export type App = Static<typeof App>;

export const CreateAppBody = Type.Object(
  {
    slug: Slug,
    displayName: Name(1, 80),
    region: Type.Optional(OneOf(REGIONS, { whenLeftOut: DEFAULT_REGION })),
  },
  { examples: [{ slug: 'focus-timer', displayName: 'Focus Timer' }] },
);
export type CreateAppInput = Static<typeof CreateAppBody>;

export const DeleteAppQuery = Type.Object({
  confirm: Type.Optional(AnyText(0, 200, { description: "The app's slug, typed to confirm." })),
});

export const DeletedApp = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
  displayName: Type.String(),
  note: Type.String(),
});
export type DeletedApp = Static<typeof DeletedApp>;
