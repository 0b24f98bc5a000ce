import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../../shared/errors.ts';

export const MAX_RECORDS = 2_000;

export const tooManyRecords = (
  hint = `A request holds at most ${MAX_RECORDS} log records.`,
): AppError => new AppError('body_too_large', 'The request holds too many log records.', { hint });

/** OTLP 1.7 in JSON; unknown fields are ignored. */
const Open = { additionalProperties: true };
const Attributes = Type.Optional(Type.Array(Type.Unknown()));
const Nanos = Type.Optional(Type.Union([Type.String(), Type.Number()]));

const LogRecord = Type.Object(
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
export type OtlpRecord = Static<typeof LogRecord>;

const ScopeLogs = Type.Object(
  {
    scope: Type.Optional(Type.Object({ name: Type.Optional(Type.Unknown()) }, Open)),
    logRecords: Type.Optional(Type.Array(LogRecord)),
  },
  Open,
);

const ResourceLogs = Type.Object(
  {
    resource: Type.Optional(Type.Object({ attributes: Attributes }, Open)),
    scopeLogs: Type.Optional(Type.Array(ScopeLogs)),
  },
  Open,
);

export const OtlpLogs = Type.Object(
  { resourceLogs: Type.Optional(Type.Array(ResourceLogs)) },
  Open,
);
export type OtlpLogs = Static<typeof OtlpLogs>;
