import type { Environment } from '../../shared/environment.ts';
import { CONTEXT_FIELDS, type ContextField, EVENT_FIELDS } from '../../shared/event-fields.ts';
import { NOBODY } from '../../shared/identity.ts';

/** Normalized. Times are microseconds since 1970, UTC. */
export type EventRow = {
  orgId: string;
  appId: string;
  /** 128-bit identity as 32 hex digits; null without one. */
  key: string | null;
  name: string;
  occurredAtUs: number;
  receivedAtUs: number;
  /** Increases per process; orders batches of one instant. */
  arrival: number;
  batchIndex: number;
  personId: string;
  anonymousId: string;
  userId: string | null;
  sessionId: string | null;
  clientTs: string | null;
  timeFlag: TimeFlag | null;
  /** JSON object text. */
  props: string | null;
  eventId: string | null;
  environment: Environment;
} & Record<ContextField, string | null>;

export type TimeFlag = 'shifted' | 'no_ts' | 'too_old';

export type EventColumn = {
  name: string;
  type: 'VARCHAR' | 'UUID' | 'TIMESTAMPTZ' | 'BIGINT' | 'INTEGER';
  field: keyof EventRow;
};

export const EVENT_COLUMNS = [
  { name: 'org_id', type: 'VARCHAR', field: 'orgId' },
  { name: 'app_id', type: 'VARCHAR', field: 'appId' },
  { name: 'event_key', type: 'UUID', field: 'key' },
  { name: 'name', type: 'VARCHAR', field: 'name' },
  { name: 'occurred_at', type: 'TIMESTAMPTZ', field: 'occurredAtUs' },
  { name: 'received_at', type: 'TIMESTAMPTZ', field: 'receivedAtUs' },
  { name: 'arrival', type: 'BIGINT', field: 'arrival' },
  { name: 'batch_index', type: 'INTEGER', field: 'batchIndex' },
  { name: 'person_id', type: 'VARCHAR', field: 'personId' },
  { name: 'anonymous_id', type: 'VARCHAR', field: 'anonymousId' },
  { name: 'user_id', type: 'VARCHAR', field: 'userId' },
  { name: 'session_id', type: 'VARCHAR', field: 'sessionId' },
  { name: 'client_ts', type: 'VARCHAR', field: 'clientTs' },
  { name: 'time_flag', type: 'VARCHAR', field: 'timeFlag' },
  ...CONTEXT_FIELDS.map((field) => {
    const type: EventColumn['type'] = 'VARCHAR';
    return { name: EVENT_FIELDS[field].column, type, field };
  }),
  { name: 'props', type: 'VARCHAR', field: 'props' },
  { name: 'event_id', type: 'VARCHAR', field: 'eventId' },
  { name: 'environment', type: 'VARCHAR', field: 'environment' },
] as const satisfies readonly EventColumn[];

export const EVENT_TABLE_SQL = `(${EVENT_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})`;

export const personKeySql = (id: string): string => `md5(${id})::UUID`;

export const NOBODY_SQL = { id: `'${NOBODY}'`, key: personKeySql(`'${NOBODY}'`) };

export const DERIVED_COLUMNS = {
  /** Grouped by DuckDB twice as fast as text. */
  person_key: personKeySql('person_id'),
  is_anonymous: 'user_id IS NULL',
} as const;

export const EVENT_FILE_FORMAT = 3;
/** First format with derived columns. */
const DERIVED_SINCE = 2;
/** First format with `environment` and upper-case countries. */
const ENVIRONMENT_SINCE = 3;

export function formatOfColumns(names: readonly string[]): number {
  if (names.includes('environment')) return ENVIRONMENT_SINCE;
  return names.includes('person_key') ? DERIVED_SINCE : 1;
}

const COUNTRY_CODE = /^[a-z]{2}$/i;

/** Two-letter codes in upper case; other text unchanged. */
export const foldCountry = (country: string): string =>
  COUNTRY_CODE.test(country) ? country.toUpperCase() : country;

const FOLDED_COUNTRY_SQL =
  "CASE WHEN country SIMILAR TO '[A-Za-z]{2}' THEN upper(country) ELSE country END";

const BY_DERIVATION = new Map<string, string>(Object.entries(DERIVED_COLUMNS));
const BEFORE_ENVIRONMENT = new Map([
  ['environment', "'production'"],
  ['country', FOLDED_COUNTRY_SQL],
]);

export function derivedSql(name: string): string {
  const sql = BY_DERIVATION.get(name);
  return sql === undefined ? name : `${sql} AS ${name}`;
}

export function columnSql(name: string, format: number): string {
  const old = format < ENVIRONMENT_SINCE ? BEFORE_ENVIRONMENT.get(name) : undefined;
  if (old !== undefined) return `${old} AS ${name}`;
  return format < DERIVED_SINCE ? derivedSql(name) : name;
}

/** For files of earlier releases. JSON escapes U+0001, so it can replace escaped backslashes. */
export const WELL_FORMED_PROPS_SQL = `CASE WHEN contains(props, '\\ud')
  THEN replace(regexp_replace(replace(props, '\\\\', chr(1)),
    '\\\\ud[89a-f][0-9a-f]{2}', chr(65533), 'g'), chr(1), '\\\\')
  ELSE props END`;

const RESERVED_PREFIX = '$';

/** Reserved for the service; clients cannot send it. */
export const isReserved = (name: string): boolean => name.startsWith(RESERVED_PREFIX);

export const RESERVED_SQL = `starts_with(name, '${RESERVED_PREFIX}')`;

export const EVENT_COLUMN_NAMES: readonly string[] = EVENT_COLUMNS.map(({ name }) => name);
export const EVENT_COLUMN_NAMES_SQL = EVENT_COLUMN_NAMES.join(', ');

/** Oldest first; append new ones. */
const ADDED_COLUMN_NAMES: readonly string[] = ['environment'];

/** In the order of Parquet field ids, from 1; an id never changes meaning. */
const FILE_COLUMN_NAMES = [
  ...EVENT_COLUMN_NAMES.filter((name) => !ADDED_COLUMN_NAMES.includes(name)),
  ...Object.keys(DERIVED_COLUMNS),
  ...ADDED_COLUMN_NAMES,
];

export const FILE_COLUMNS_SQL = FILE_COLUMN_NAMES.map(derivedSql).join(', ');

const DERIVED_TYPES = { person_key: 'UUID', is_anonymous: 'BOOLEAN' } as const;
const DERIVED_NAMES = ['person_key', 'is_anonymous'] as const;

export const EVENT_FILE_COLUMNS = [
  ...EVENT_COLUMNS.map(({ name, type }) => ({ name, type })),
  ...DERIVED_NAMES.map((name) => ({ name, type: DERIVED_TYPES[name] })),
]
  .map((column) => ({ ...column, id: FILE_COLUMN_NAMES.indexOf(column.name) + 1 }))
  .toSorted((a, b) => a.id - b.id);

/** Value of `FIELD_IDS` in DuckDB's `COPY … TO … (FORMAT parquet)`. */
export const EVENT_FIELD_IDS_SQL = `{${FILE_COLUMN_NAMES.map((name, i) => `${name}: ${i + 1}`).join(', ')}}`;

/** Row order of event files: app, person, time. */
export const EVENT_ORDER_SQL = 'app_id, person_id, occurred_at, arrival, batch_index';
