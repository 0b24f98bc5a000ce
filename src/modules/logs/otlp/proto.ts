import { Type } from '@sinclair/typebox';
import protobuf from 'protobufjs';
import { AppError, errorMessage, invalidInput } from '../../../shared/errors.ts';
import { parser } from '../../../shared/schema.ts';
import { MAX_RECORDS, tooManyRecords } from './model.ts';

/** Messages of opentelemetry-proto 1.7 (`collector/logs/v1`, `logs/v1`, `common/v1`, `resource/v1`). */
const root = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceLogs: { rule: 'repeated', type: 'ResourceLogs', id: 1 } } },
    ResourceLogs: {
      fields: {
        resource: { type: 'Resource', id: 1 },
        scopeLogs: { rule: 'repeated', type: 'ScopeLogs', id: 2 },
      },
    },
    Resource: { fields: { attributes: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    ScopeLogs: {
      fields: {
        scope: { type: 'Scope', id: 1 },
        logRecords: { rule: 'repeated', type: 'LogRecord', id: 2 },
      },
    },
    Scope: {
      fields: { name: { type: 'string', id: 1 }, version: { type: 'string', id: 2 } },
    },
    LogRecord: {
      fields: {
        timeUnixNano: { type: 'fixed64', id: 1 },
        severityNumber: { type: 'int32', id: 2 },
        severityText: { type: 'string', id: 3 },
        body: { type: 'AnyValue', id: 5 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 6 },
        traceId: { type: 'bytes', id: 9 },
        spanId: { type: 'bytes', id: 10 },
        observedTimeUnixNano: { type: 'fixed64', id: 11 },
        eventName: { type: 'string', id: 12 },
      },
    },
    KeyValue: {
      fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } },
    },
    AnyValue: {
      oneofs: {
        value: {
          oneof: [
            'stringValue',
            'boolValue',
            'intValue',
            'doubleValue',
            'arrayValue',
            'kvlistValue',
            'bytesValue',
          ],
        },
      },
      fields: {
        stringValue: { type: 'string', id: 1 },
        boolValue: { type: 'bool', id: 2 },
        intValue: { type: 'int64', id: 3 },
        doubleValue: { type: 'double', id: 4 },
        arrayValue: { type: 'ArrayValue', id: 5 },
        kvlistValue: { type: 'KeyValueList', id: 6 },
        bytesValue: { type: 'bytes', id: 7 },
      },
    },
    ArrayValue: { fields: { values: { rule: 'repeated', type: 'AnyValue', id: 1 } } },
    KeyValueList: { fields: { values: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    Response: { fields: { partialSuccess: { type: 'PartialSuccess', id: 1 } } },
    PartialSuccess: {
      fields: {
        rejectedLogRecords: { type: 'int64', id: 1 },
        errorMessage: { type: 'string', id: 2 },
      },
    },
  },
});
const Request = root.lookupType('Request');
const LogRecord = root.lookupType('LogRecord');
const Response = root.lookupType('Response');

export const PROTOBUF = 'application/x-protobuf';

const Bytes = Type.Object({
  resourceLogs: Type.Optional(
    Type.Array(
      Type.Object({
        scopeLogs: Type.Optional(
          Type.Array(
            Type.Object({
              logRecords: Type.Optional(
                Type.Array(
                  Type.Object({
                    traceId: Type.Optional(Type.String()),
                    spanId: Type.Optional(Type.String()),
                  }),
                ),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
});
const decoded = parser(Bytes, 'decoded log records');

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

/** Ids are bytes in the one form and hexadecimal in the other. */
function spellIds(sent: unknown): unknown {
  const request = decoded.parse(sent);
  for (const { scopeLogs = [] } of request.resourceLogs ?? []) {
    for (const { logRecords = [] } of scopeLogs) {
      for (const record of logRecords) {
        if (record.traceId !== undefined) record.traceId = hexOf(record.traceId);
        if (record.spanId !== undefined) record.spanId = hexOf(record.spanId);
      }
    }
  }
  return request;
}

const MAX_PARTS = MAX_RECORDS * 300;
const MAX_LEVELS = 200;
const DELIMITED = 2;

/** Decoding costs time by parts, not bytes. */
function checkParts(bytes: Uint8Array): void {
  const reader = protobuf.Reader.create(bytes);
  let [parts, records] = [0, 0];
  const walk = (type: protobuf.Type, end: number, level: number): void => {
    if (level > MAX_LEVELS) throw new Error(`it is more than ${MAX_LEVELS} levels deep`);
    while (reader.pos < end) {
      const tag = reader.uint32();
      const inner = type.fieldsById[tag >>> 3]?.resolve().resolvedType;
      if (!(inner instanceof protobuf.Type) || (tag & 7) !== DELIMITED) {
        reader.skipType(tag & 7);
        continue;
      }
      parts += 1;
      if (inner === LogRecord) records += 1;
      if (records > MAX_RECORDS) throw tooManyRecords();
      if (parts > MAX_PARTS)
        throw tooManyRecords(`body: at most ${MAX_PARTS} attributes and values`);
      walk(inner, reader.uint32() + reader.pos, level + 1);
    }
  };
  walk(Request, bytes.length, 0);
}

/** Its JSON form. Throws `invalid_input`, `body_too_large`. */
export function parseProtobuf(bytes: Uint8Array): unknown {
  try {
    checkParts(bytes);
    return spellIds(Request.toObject(Request.decode(bytes), { longs: String, bytes: String }));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw invalidInput('body', `must be an ExportLogsServiceRequest: ${errorMessage(cause)}`);
  }
}

export type PartialSuccess = { rejectedLogRecords: number; errorMessage: string };

export const encodeAnswer = (partialSuccess: PartialSuccess | null): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Response.encode(partialSuccess ? { partialSuccess } : {}).finish());
