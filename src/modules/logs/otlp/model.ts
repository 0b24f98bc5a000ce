import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../../shared/errors.ts';

/** The Collector sends 8,192. */
export const MAX_RECORDS = 10_000;

export const TOO_MANY = `A request holds at most ${MAX_RECORDS} log records.`;

export const tooManyParts = (hint: string): AppError =>
  new AppError('body_too_large', 'The request holds too many log records.', { hint });

/** OTLP 1.7 in JSON; unknown fields are ignored. */
const Open = { additionalProperties: true };
const Attributes = Type.Optional(Type.Array(Type.Unknown()));
const Nanos = Type.Optional(Type.Union([Type.String(), Type.Number()]));

export const OtlpRecord = Type.Object(
  {
    timeUnixNano: Nanos,
    observedTimeUnixNano: Nanos,
    severityNumber: Type.Optional(Type.Unknown()),
    severityText: Type.Optional(Type.Unknown()),
    body: Type.Optional(Type.Unknown()),
    attributes: Attributes,
    traceId: Type.Optional(Type.Unknown()),
    spanId: Type.Optional(Type.Unknown()),
    eventName: Type.Optional(Type.Unknown()),
  },
  Open,
);
export type OtlpRecord = Static<typeof OtlpRecord>;

const ScopeLogs = Type.Object(
  {
    scope: Type.Optional(Type.Unknown()),
    logRecords: Type.Optional(Type.Array(Type.Unknown())),
  },
  Open,
);

const ResourceLogs = Type.Object(
  {
    resource: Type.Optional(Type.Unknown()),
    scopeLogs: Type.Optional(Type.Array(ScopeLogs)),
  },
  Open,
);

export const OtlpLogs = Type.Object(
  { resourceLogs: Type.Optional(Type.Array(ResourceLogs)) },
  Open,
);
export type OtlpLogs = Static<typeof OtlpLogs>;
