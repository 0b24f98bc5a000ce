import { Type } from '@sinclair/typebox';
import { OneOf } from './schema.ts';

export const ENVIRONMENTS = ['production', 'development'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const ENVIRONMENT_SCOPES = [...ENVIRONMENTS, 'all'] as const;
export type EnvironmentScope = (typeof ENVIRONMENT_SCOPES)[number];
export const DEFAULT_SCOPE: EnvironmentScope = 'production';

export const isInScope = (environment: Environment, scope: EnvironmentScope): boolean =>
  scope === 'all' || scope === environment;

/** As rows and answers of the first release have them; a test purchase costs nothing. */
export const STORE_ENVIRONMENTS = ['Production', 'Sandbox'] as const;
export type StoreEnvironment = (typeof STORE_ENVIRONMENTS)[number];
export const [REAL_PURCHASES, TEST_PURCHASES] = STORE_ENVIRONMENTS;

export const isReal = (environment: StoreEnvironment | undefined): boolean =>
  environment !== TEST_PURCHASES;

export const EnvironmentScopeField = Type.Optional(OneOf(ENVIRONMENT_SCOPES));

export const EnvironmentParameter = Type.Optional(
  OneOf(ENVIRONMENT_SCOPES, {
    description: 'Events sent with publishable keys for it.',
    whenLeftOut: DEFAULT_SCOPE,
  }),
);
