import { Type } from '@sinclair/typebox';
import { invalidInput } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { parser } from '../../shared/schema.ts';
import * as model from './model.ts';
import { type NamedPeople, namedPeople } from './people.ts';

export type LogRecord = {
  id: string;
  orgId: string;
  at: Date;
  level: model.LogLevel;
  service: string;
  env: string | null;
  requestId: string | null;
  appId: string | null;
  people: NamedPeople;
  /** {message, fields} as JSON, which escapes characters that storage refuses. */
  entry: string;
  /** Lower case, storable. */
  haystack: string;
};

export type StoredLog = Pick<LogRecord, 'id' | 'at' | 'service' | 'env' | 'requestId' | 'entry'> & {
  level: string;
};

const MAX_DEPTH = 32;
const MAX_FILTERABLE_LENGTH = 128;

type Fields = Readonly<Record<string, unknown>>;

/** Without lone surrogates and NUL, for PostgreSQL. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Form for comparison of `q` and haystack. */
export function searchable(text: string): string {
  return storable(text).toLowerCase();
}

/** Throws `invalid_input` beyond 32 levels, against stack overflows. */
function toLines(fields: Fields): string[] {
  const lines: string[] = [];
  const open: { name: string; value: unknown; depth: number }[] = [
    { name: '', value: fields, depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { name, value, depth } = next;
    if (typeof value !== 'object' || value === null) {
      lines.push(`${name} ${value}`);
      continue;
    }
    if (depth > MAX_DEPTH) throw invalidInput('fields', `at most ${MAX_DEPTH} levels deep`);
    for (const [key, child] of Object.entries(value).toReversed()) {
      open.push({ name: Array.isArray(value) ? name : key, value: child, depth: depth + 1 });
    }
  }
  return lines;
}

function filterable(fields: Fields, name: string): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value !== 'string' || value === '' || value.length > MAX_FILTERABLE_LENGTH)
    return null;
  return storable(value);
}

/** JSON has no infinity and no NaN. */
const finiteOrText = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

export function toRecord(orgId: string, at: Date, input: model.IngestLogInput): LogRecord {
  const fields = input.fields ?? {};
  return {
    id: newId('log'),
    orgId,
    at,
    level: input.level ?? 'info',
    service: storable(input.service ?? model.DEFAULT_SERVICE),
    env: filterable(fields, 'env'),
    requestId: filterable(fields, 'requestId'),
    appId: filterable(fields, 'appId'),
    haystack: searchable([input.message, ...toLines(fields)].join('\n')),
    people: namedPeople(fields),
    entry: JSON.stringify({ message: input.message, fields }, finiteOrText),
  };
}

const entryBody = parser(
  Type.Object({ message: Type.String(), fields: Type.Record(Type.String(), Type.Unknown()) }),
  'stored log entry',
);

export function toEntry(record: StoredLog): model.LogEntry {
  const { message, fields } = entryBody.parse(JSON.parse(record.entry));
  return {
    id: record.id,
    timestamp: record.at.toISOString(),
    level: model.LOG_LEVELS.find((level) => level === record.level) ?? 'info',
    service: record.service,
    message,
    env: record.env,
    requestId: record.requestId,
    fields,
  };
}
