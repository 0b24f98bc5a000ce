import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';

/** More versions than charts can show; the first to be seen are given. */
export const MAX_VERSIONS = 500;

/** On which day each version of an app was first seen. Times are microseconds. */
export const VersionsQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  environment: EnvironmentScopeField,
  /** Where days begin, ascending, and the end of the last one. */
  boundariesUs: Type.Array(Type.Integer(), { minItems: 2 }),
  /** People of a version, and their share of the people of the day, that make it seen. */
  minimumPeople: Type.Integer({ minimum: 1 }),
  minimumShare: Type.Number({ minimum: 0, maximum: 1 }),
});
export type VersionsQuestion = Static<typeof VersionsQuestion>;

export const VersionsAnswer = Type.Object({
  /** In the order of their days. */
  versions: Type.Array(
    Type.Object({ appVersion: Type.String(), day: Type.Integer({ minimum: 0 }) }),
  ),
});
export type VersionsAnswer = Static<typeof VersionsAnswer>;
