import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';

export const PreviewPhase = OneOf([
  'starting',
  'installing',
  'ready',
  'error',
  'stopping',
  'stopped',
]);
export type PreviewPhase = Static<typeof PreviewPhase>;

export const RUNNING_PHASES: PreviewPhase[] = ['starting', 'installing', 'ready', 'stopping'];

const NullableText = Nullable(Type.String());

export const PreviewSession = Named('PreviewSession', {
  available: Type.Boolean({ description: 'False while no runner is set for the app' }),
  phase: PreviewPhase,
  ready: Type.Boolean(),
  webUrl: NullableText,
  expoUrl: NullableText,
  version: Nullable(Type.Integer()),
  errors: Type.Array(Type.String(), { description: 'What the runner reported, newest last' }),
  error: Nullable(Type.String({ description: 'Why the session ended, with the last lines' })),
  startedAt: Nullable(DateTime),
});
export type PreviewSession = Static<typeof PreviewSession>;
