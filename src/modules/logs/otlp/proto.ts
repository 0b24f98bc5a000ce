import protobuf from 'protobufjs';
import { AppError, errorMessage, invalidInput } from '../../../shared/errors.ts';
import { createTurns } from '../../../shared/turns.ts';
import { MAX_RECORDS, tooManyParts } from './model.ts';

/** Below `ScopeLogs` and `ResourceLogs` of opentelemetry-proto 1.7. */
const root = protobuf.Root.fromJSON({
  nested: {
    Resource: { fields: { attributes: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
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
const Resource = root.lookupType('Resource');
const Scope = root.lookupType('Scope');
const LogRecord = root.lookupType('LogRecord');
const Response = root.lookupType('Response');

export const PROTOBUF = 'application/x-protobuf';

const MAX_PARTS = 600_000;
/** Costs what it is of only. */
const UNREADABLE = false;
const MAX_PARTS_OF_RECORD = 50_000;
const MAX_LEVELS = 200;
const DELIMITED = 2;

/** Decoding costs time by parts, not bytes. */
class Decoding {
  readonly #turns = createTurns();
  #parts = 0;
  #records = 0;

  async request(bytes: Uint8Array) {
    const resourceLogs: unknown[] = [];
    await this.#eachField(bytes, async (id, inner) => {
      if (id === 1) resourceLogs.push(await this.#resourceLogs(inner));
    });
    return { resourceLogs };
  }

  async #resourceLogs(bytes: Uint8Array) {
    const scopeLogs: unknown[] = [];
    let resource: unknown;
    await this.#eachField(bytes, async (id, inner) => {
      if (id === 1) resource = this.#whole(Resource, inner);
      if (id === 2) scopeLogs.push(await this.#scopeLogs(inner));
    });
    return { resource, scopeLogs };
  }

  async #scopeLogs(bytes: Uint8Array) {
    const logRecords: unknown[] = [];
    let scope: unknown;
    await this.#eachField(bytes, async (id, inner) => {
      if (id === 1) scope = this.#whole(Scope, inner);
      if (id !== 2) return;
      this.#records += 1;
      logRecords.push(this.#records > MAX_RECORDS ? UNREADABLE : this.#whole(LogRecord, inner));
    });
    return { scope, logRecords };
  }

  async #eachField(bytes: Uint8Array, take: (id: number, inner: Uint8Array) => Promise<void>) {
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < bytes.length) {
      const tag = reader.uint32();
      this.#parts += 1;
      if (this.#parts > MAX_PARTS) {
        throw tooManyParts(`body: at most ${MAX_PARTS} attributes and values`);
      }
      if ((tag & 7) === DELIMITED) await take(tag >>> 3, reader.bytes());
      else reader.skipType(tag & 7);
      if (this.#turns.isOver()) await this.#turns.next();
    }
  }

  #whole(type: protobuf.Type, bytes: Uint8Array): unknown {
    try {
      const parts = countParts(type, bytes);
      this.#parts += parts;
      if (parts > MAX_PARTS_OF_RECORD) return UNREADABLE;
      return type.toObject(type.decode(bytes), { longs: String, bytes: String });
    } catch {
      return UNREADABLE;
    }
  }
}

function countParts(outer: protobuf.Type, bytes: Uint8Array): number {
  const reader = protobuf.Reader.create(bytes);
  let parts = 0;
  const walk = (type: protobuf.Type, end: number, level: number): void => {
    if (level > MAX_LEVELS) throw new Error(`it is more than ${MAX_LEVELS} levels deep`);
    while (reader.pos < end && parts <= MAX_PARTS_OF_RECORD) {
      const tag = reader.uint32();
      const inner = type.fieldsById[tag >>> 3]?.resolve().resolvedType;
      if (inner instanceof protobuf.Type && (tag & 7) === DELIMITED) {
        parts += 1;
        walk(inner, reader.uint32() + reader.pos, level + 1);
      } else reader.skipType(tag & 7);
    }
  };
  walk(outer, bytes.length, 0);
  return parts;
}

/** Its JSON form. Throws `invalid_input`, `body_too_large`. */
export async function parseProtobuf(bytes: Uint8Array): Promise<unknown> {
  try {
    return await new Decoding().request(bytes);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw invalidInput('body', `must be an ExportLogsServiceRequest: ${errorMessage(cause)}`);
  }
}

export type PartialSuccess = { rejectedLogRecords: number; errorMessage: string };

export const encodeAnswer = (partialSuccess: PartialSuccess | null): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Response.encode(partialSuccess ? { partialSuccess } : {}).finish());
