import { isRecord } from '../../../shared/record.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { DEFAULT_SERVICE, type IngestLogInput, LOG_LEVELS, type LogLevel } from '../model.ts';
import type { OtlpRecord } from './model.ts';

const MAX_DEPTH = 32;
const MAX_MESSAGE = 2_000;
const MAX_SERVICE = 64;
const SEVERITIES_A_LEVEL = 4;
const EARLIEST_MS = 7 * DAY_MS;
const NANOS_A_MS = 1_000_000n;

type Fields = Record<string, unknown>;

/** Numbers beyond what JSON holds stay texts. */
function toInteger(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function plainOf(sent: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error(`attributes: at most ${MAX_DEPTH} levels deep`);
  if (!isRecord(sent)) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } =
    sent;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return toInteger(intValue);
  if (doubleValue !== undefined) return doubleValue;
  if (bytesValue !== undefined) return bytesValue;
  const values = isRecord(arrayValue) ? arrayValue.values : undefined;
  if (Array.isArray(values)) return values.map((one) => plainOf(one, depth + 1));
  if (isRecord(kvlistValue)) return attributesOf(kvlistValue.values, depth + 1);
  return null;
}

export function attributesOf(sent: unknown, depth = 0): Fields {
  if (!Array.isArray(sent)) return {};
  const found = sent.flatMap((one): [string, unknown][] =>
    isRecord(one) && typeof one.key === 'string' ? [[one.key, plainOf(one.value, depth)]] : [],
  );
  return Object.fromEntries(found);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const [TRACE_BYTES, SPAN_BYTES] = [16, 8];

/** Undefined for zeros and other lengths. */
function idOf(sent: unknown, length: number): string | undefined {
  const text = textOf(sent) ?? '';
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  const spelled = isBase64 ? [text, bytes.toString('hex'), bytes.toString('latin1')] : [text];
  const hex = spelled.find((one) => one.length === 2 * length && /^[\da-f]+$/i.test(one));
  return hex === undefined || /^0+$/.test(hex) ? undefined : hex.toLowerCase();
}

function levelOf({ severityNumber, severityText }: OtlpRecord): LogLevel {
  const number = typeof severityNumber === 'number' ? severityNumber : 0;
  const level = number > 0 ? LOG_LEVELS[Math.floor((number - 1) / SEVERITIES_A_LEVEL)] : undefined;
  const named = textOf(severityText)?.toLowerCase();
  return level ?? LOG_LEVELS.find((one) => one === named) ?? 'info';
}

function messageOf({ body, eventName }: OtlpRecord): { message: string; rest: string | null } {
  const value = body === undefined ? null : plainOf(body, 0);
  const whole = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const text = whole || textOf(eventName) || '(empty)';
  const cut = [...text.slice(0, 2 * MAX_MESSAGE)].slice(0, MAX_MESSAGE).join('');
  return { message: cut, rest: cut.length < text.length ? text : null };
}

/** A week ago at the earliest, now at the latest. */
export function timeOf({ timeUnixNano, observedTimeUnixNano }: OtlpRecord, now: Date): Date {
  for (const nanos of [timeUnixNano, observedTimeUnixNano]) {
    const text = String(nanos ?? 0);
    if (!/^[1-9]\d{0,19}$/.test(text)) continue;
    const ms = Number(BigInt(text) / NANOS_A_MS);
    return new Date(Math.min(now.getTime(), Math.max(now.getTime() - EARLIEST_MS, ms)));
  }
  return now;
}

export type Source = { resource: Fields; scope: unknown };

/** A trace is the request. Throws for deep values. */
export function toInput(record: OtlpRecord, { resource, scope }: Source): IngestLogInput {
  const attributes = attributesOf(record.attributes);
  const { 'service.name': service, ...others } = resource;
  const { message, rest } = messageOf(record);
  const [traceId, spanId] = [idOf(record.traceId, TRACE_BYTES), idOf(record.spanId, SPAN_BYTES)];
  const scopeName = isRecord(scope) ? textOf(scope.name) : undefined;
  const env = others['deployment.environment.name'] ?? others['deployment.environment'];
  return {
    level: levelOf(record),
    message,
    service: textOf(service)?.slice(0, MAX_SERVICE) ?? DEFAULT_SERVICE,
    fields: {
      ...(env !== undefined && { env }),
      ...(traceId !== undefined && { requestId: traceId, traceId }),
      ...(spanId !== undefined && { spanId }),
      ...(scopeName !== undefined && { scope: scopeName }),
      ...(textOf(record.eventName) !== undefined && { eventName: record.eventName }),
      ...(Object.keys(others).length > 0 && { resource: others }),
      ...(rest !== null && { body: rest }),
      ...attributes,
    },
  };
}
