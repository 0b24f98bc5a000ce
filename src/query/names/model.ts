import { type Static, Type } from '@sinclair/typebox';
import { EnvironmentScopeField } from '../../shared/environment.ts';

/** More names than an app can mean; the least frequent are left out. */
export const MAX_NAMES = 2_000;

/** Which names the events of an app have. Times are microseconds. */
export const NamesQuestion = Type.Object({
  orgId: Type.String(),
  appId: Type.String(),
  environment: EnvironmentScopeField,
  fromUs: Type.Integer(),
  beforeUs: Type.Integer(),
});
export type NamesQuestion = Static<typeof NamesQuestion>;

export const NamesAnswer = Type.Object({
  /** Most events first. */
  names: Type.Array(Type.String()),
});
export type NamesAnswer = Static<typeof NamesAnswer>;
