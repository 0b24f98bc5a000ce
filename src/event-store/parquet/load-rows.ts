import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBType,
  DuckDBUUIDValue,
  type DuckDBValue,
  INTEGER,
  UUID,
  VARCHAR,
} from '@duckdb/node-api';
import { EVENT_COLUMN_NAMES, type EventRow } from '../event/columns.ts';
import { appendItems } from './engine.ts';
import { ACTORS, BATCHES, EVENTS, NAMES } from './tables.ts';

type Column<T> = { name: string; type: DuckDBType; of: (item: T) => DuckDBValue };

const text = <T>(name: string, of: (item: T) => string | null): Column<T> => ({
  name,
  type: VARCHAR,
  of,
});
const whole = <T>(name: string, of: (item: T) => number): Column<T> => ({
  name,
  type: INTEGER,
  of,
});
/** Exact up to 2^53: microseconds until the year 2255. */
const large = <T>(name: string, of: (item: T) => number): Column<T> => ({
  name,
  type: DOUBLE,
  of,
});

type Event = { row: EventRow; batch: number; actor: number; name: number };
type Numbered<T> = { no: number; item: T };

/** Columns shared by a batch, by an actor, and names: handed to DuckDB once, then joined. */
const BATCH_COLUMNS: Column<Numbered<EventRow>>[] = [
  whole('batch_no', ({ no }) => no),
  text('org_id', ({ item }) => item.orgId),
  text('app_id', ({ item }) => item.appId),
  large('received_us', ({ item }) => item.receivedAtUs),
  large('arrival_no', ({ item }) => item.arrival),
  text('platform', ({ item }) => item.platform),
  text('app_version', ({ item }) => item.appVersion),
  text('os_version', ({ item }) => item.osVersion),
  text('locale', ({ item }) => item.locale),
  text('country', ({ item }) => item.country),
  text('environment', ({ item }) => item.environment),
];
const ACTOR_COLUMNS: Column<Numbered<EventRow>>[] = [
  whole('actor_no', ({ no }) => no),
  text('person_id', ({ item }) => item.personId),
  text('anonymous_id', ({ item }) => item.anonymousId),
  text('user_id', ({ item }) => item.userId),
  text('session_id', ({ item }) => item.sessionId),
];
const NAME_COLUMNS: Column<Numbered<string>>[] = [
  whole('name_no', ({ no }) => no),
  text('name', ({ item }) => item),
];
const EVENT_PART_COLUMNS: Column<Event>[] = [
  whole('batch_no', ({ batch }) => batch),
  whole('actor_no', ({ actor }) => actor),
  whole('name_no', ({ name }) => name),
  {
    name: 'event_key',
    type: UUID,
    of: ({ row }) =>
      row.key === null ? null : DuckDBUUIDValue.fromUint128(BigInt(`0x${row.key}`)),
  },
  large('occurred_us', ({ row }) => row.occurredAtUs),
  whole('batch_index', ({ row }) => row.batchIndex),
  text('client_ts', ({ row }) => row.clientTs),
  text('time_flag', ({ row }) => row.timeFlag),
  text('props', ({ row }) => row.props),
  text('event_id', ({ row }) => row.eventId),
];

async function fill<T>(
  connection: DuckDBConnection,
  table: string,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  const body = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${body})`);
  await appendItems(connection, table, columns, items);
}

const isSameActor = (a: EventRow, b: EventRow) =>
  a.personId === b.personId &&
  a.anonymousId === b.anonymousId &&
  a.userId === b.userId &&
  a.sessionId === b.sessionId;

/** Arrivals of two processes can be equal, so every shared column has to agree. */
const isSameBatch = (a: EventRow, b: EventRow) =>
  a.arrival === b.arrival &&
  a.appId === b.appId &&
  a.orgId === b.orgId &&
  a.receivedAtUs === b.receivedAtUs &&
  a.platform === b.platform &&
  a.appVersion === b.appVersion &&
  a.osVersion === b.osVersion &&
  a.locale === b.locale &&
  a.country === b.country &&
  a.environment === b.environment;

/** Splits rows into parts. Neighbours share a batch and mostly an actor, so comparing with the last is enough. */
function splitRows(rows: readonly EventRow[]) {
  const batches: Numbered<EventRow>[] = [];
  const actors: Numbered<EventRow>[] = [];
  const names = new Map<string, Numbered<string>>();
  const events = rows.map((row): Event => {
    const batch = batches.at(-1);
    if (!batch || !isSameBatch(batch.item, row)) batches.push({ no: batches.length, item: row });
    const actor = actors.at(-1);
    if (!actor || !isSameActor(actor.item, row)) actors.push({ no: actors.length, item: row });
    const name = names.get(row.name) ?? { no: names.size, item: row.name };
    names.set(row.name, name);
    return { row, batch: batches.length - 1, actor: actors.length - 1, name: name.no };
  });
  return { batches, actors, names: [...names.values()], events };
}

/** Columns that the parts hold in another form: its name, and the SQL that converts it back. */
const IN_PARTS: Readonly<Record<string, { name: string; sql: string }>> = {
  occurred_at: { name: 'occurred_us', sql: 'make_timestamptz(occurred_us::BIGINT)' },
  received_at: { name: 'received_us', sql: 'make_timestamptz(received_us::BIGINT)' },
  arrival: { name: 'arrival_no', sql: 'arrival_no::BIGINT' },
};

const NUMBERS = ['batch_no', 'actor_no', 'name_no'];

/**
 * Runs `use` with these rows as a subquery of `columns`, in their order. Each string handed to
 * DuckDB costs, so shared ones are handed over once and the subquery joins them.
 */
export async function withRows<T>(
  connection: DuckDBConnection,
  rows: readonly EventRow[],
  columns: readonly string[],
  use: (from: string) => Promise<T>,
): Promise<T> {
  const { batches, actors, names, events } = splitRows(rows);
  const wanted = new Set([...NUMBERS, ...columns.map((name) => IN_PARTS[name]?.name ?? name)]);
  const only = <C>(all: readonly Column<C>[]) => all.filter(({ name }) => wanted.has(name));
  try {
    await fill(connection, BATCHES, only(BATCH_COLUMNS), batches);
    await fill(connection, ACTORS, only(ACTOR_COLUMNS), actors);
    await fill(connection, NAMES, NAME_COLUMNS, names);
    await fill(connection, EVENTS, only(EVENT_PART_COLUMNS), events);
    const selected = columns.map((name) => `${IN_PARTS[name]?.sql ?? name} AS ${name}`);
    return await use(`(SELECT ${selected.join(', ')} FROM ${EVENTS}
      JOIN ${BATCHES} USING (batch_no) JOIN ${ACTORS} USING (actor_no)
      JOIN ${NAMES} USING (name_no))`);
  } finally {
    for (const part of [BATCHES, ACTORS, NAMES, EVENTS])
      await connection.run(`DROP TABLE IF EXISTS ${part}`);
  }
}

/** Makes the temporary table `table` of these rows with `columns`, in their order. */
export async function loadRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly EventRow[],
  columns: readonly string[] = EVENT_COLUMN_NAMES,
): Promise<void> {
  await withRows(connection, rows, columns, (from) =>
    connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM ${from}`),
  );
}
