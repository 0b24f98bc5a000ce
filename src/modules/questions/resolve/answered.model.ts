import { Type } from '@sinclair/typebox';
import { Provenance } from '../../../query/selection/provenance.ts';
import { ENVIRONMENT_SCOPES } from '../../../shared/environment.ts';
import { DateTime, OneOf } from '../../../shared/schema.ts';

/** In the answers of all kinds. */
export const COMMON = {
  timezone: Type.String(),
  environment: OneOf(ENVIRONMENT_SCOPES),
  computedAt: DateTime,
  ...Provenance.properties,
};
