import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Nullable } from '../../shared/schema.ts';

export const IGNORED_ID = 'ignored_id.';

export const IngestionHour = Type.Object({
  hour: DateTime,
  accepted: Type.Integer({ minimum: 0 }),
  duplicates: Type.Integer({ minimum: 0 }),
  timeCorrected: Type.Integer({ minimum: 0 }),
  rejected: Type.Integer({ minimum: 0, description: 'Rejected batches.' }),
});
export type IngestionHour = Static<typeof IngestionHour>;

export const RejectedBatches = Type.Object({
  reason: Type.String(),
  batches: Type.Integer({ minimum: 0 }),
  lastAt: DateTime,
  lastExample: Nullable(Type.String()),
});
export type RejectedBatches = Static<typeof RejectedBatches>;
