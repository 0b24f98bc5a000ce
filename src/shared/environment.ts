import { Type } from '@sinclair/typebox';
import { OneOf } from './schema.ts';

/** What a publishable key is for, and so what its events are of. */
export const ENVIRONMENTS = ['production', 'development'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Which events a question is about. */
export const ENVIRONMENT_SCOPES = [...ENVIRONMENTS, 'all'] as const;
export type EnvironmentScope = (typeof ENVIRONMENT_SCOPES)[number];
export const DEFAULT_SCOPE: EnvironmentScope = 'production';

export const isInScope = (environment: Environment, scope: EnvironmentScope): boolean =>
  scope === 'all' || scope === environment;

/** Where a purchase was made; nobody pays in the sandbox. */
export const STORE_ENVIRONMENTS = ['Production', 'Sandbox'] as const;
export type StoreEnvironment = (typeof STORE_ENVIRONMENTS)[number];
export const [PRODUCTION, SANDBOX] = STORE_ENVIRONMENTS;

/** For questions between processes. */
export const EnvironmentScopeField = Type.Optional(OneOf(ENVIRONMENT_SCOPES));

/** A parameter of routes that read events. */
export const EnvironmentParameter = Type.Optional(
  OneOf(ENVIRONMENT_SCOPES, {
    description: 'Events sent with publishable keys for it.',
    whenLeftOut: DEFAULT_SCOPE,
  }),
);
