import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable, OneOf } from '../../shared/schema.ts';

export const PREVIEW_PHASES = [
  'starting',
  'installing',
  'ready',
  'error',
  'stopping',
  'stopped',
] as const;
export type PreviewPhase = (typeof PREVIEW_PHASES)[number];

/** Phases in which a runner may exist. */
export const RUNNING_PHASES: readonly PreviewPhase[] = [
  'starting',
  'installing',
  'ready',
  'stopping',
];

const NullableText = Nullable(Type.String());

export const PreviewSession = Type.Object({
  available: Type.Boolean({ description: 'False while no runner is set for the app' }),
  phase: OneOf(PREVIEW_PHASES),
  ready: Type.Boolean(),
  webUrl: NullableText,
  expoUrl: NullableText,
  version: Nullable(Type.Integer()),
  errors: Type.Array(Type.String(), { description: 'What the runner reported, newest last' }),
  error: Nullable(Type.String({ description: 'Why the session ended, with the last lines' })),
  startedAt: Nullable(DateTime),
});
export type PreviewSession = Static<typeof PreviewSession>;
