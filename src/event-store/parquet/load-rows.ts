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
import { CONTEXT_FIELDS } from '../../shared/event-fields.ts';
import { checkRows } from '../../storage/missing-rows.ts';
import {
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  type EventColumn,
  type EventRow,
} from '../event/columns.ts';
import { type AppendColumn, appendItems } from './engine.ts';
import { ACTORS, BATCHES, EVENTS, NAMES } from './tables.ts';

type Field = keyof EventRow;

/** Compared in full: arrivals of two processes can be equal. */
const BATCH_FIELDS: readonly Field[] = [
  'arrival',
  'appId',
  'orgId',
  'receivedAtUs',
  'environment',
  ...CONTEXT_FIELDS,
];
/** Usually shared by neighbours. */
const ACTOR_FIELDS: readonly Field[] = ['personId', 'anonymousId', 'userId', 'sessionId'];
const NAME_FIELDS: readonly Field[] = ['name'];
const SHARED_FIELDS: readonly Field[] = [...BATCH_FIELDS, ...ACTOR_FIELDS, ...NAME_FIELDS];
const EVENT_FIELDS = EVENT_COLUMNS.map(({ field }) => field).filter(
  (field) => !SHARED_FIELDS.includes(field),
);

/** A DOUBLE is exact to 2^53, in microseconds until 2255. */
const APPENDED_TYPES: Record<EventColumn['type'], DuckDBType> = {
  VARCHAR,
  UUID,
  INTEGER,
  BIGINT: DOUBLE,
  TIMESTAMPTZ: DOUBLE,
};

function restoredSql({ name, type }: EventColumn): string {
  if (type === 'TIMESTAMPTZ') return `make_timestamptz(${name}::BIGINT) AS ${name}`;
  return type === 'BIGINT' ? `${name}::BIGINT AS ${name}` : name;
}

function appended({ field, type }: EventColumn, row: EventRow): DuckDBValue {
  const value = row[field];
  if (type !== 'UUID' || value === null) return value;
  return DuckDBUUIDValue.fromUint128(BigInt(`0x${value}`));
}

async function fill<T extends { row: EventRow }>(
  connection: DuckDBConnection,
  table: string,
  numbers: Record<string, (item: T) => number>,
  columns: readonly EventColumn[],
  items: readonly T[],
): Promise<void> {
  const all: (AppendColumn<T> & { name: string })[] = [
    ...Object.entries(numbers).map(([name, of]) => ({ name, type: INTEGER, of })),
    ...columns.map((column) => ({
      name: column.name,
      type: APPENDED_TYPES[column.type],
      of: ({ row }: T) => appended(column, row),
    })),
  ];
  const body = all.map(({ name, type }) => `${name} ${type}`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${body})`);
  await appendItems(connection, table, all, items);
}

type Numbered = { no: number; row: EventRow };
type Event = { row: EventRow; batch: number; actor: number; name: number };

function share(shared: Numbered[], fields: readonly Field[], row: EventRow): number {
  const last = shared.at(-1)?.row;
  if (!last || fields.some((field) => last[field] !== row[field])) {
    shared.push({ no: shared.length, row });
  }
  return shared.length - 1;
}

/** Comparing with the last suffices. */
function splitRows(rows: readonly EventRow[]) {
  const batches: Numbered[] = [];
  const actors: Numbered[] = [];
  const names = new Map<string, Numbered>();
  const events = rows.map((row): Event => {
    const name = names.get(row.name) ?? { no: names.size, row };
    names.set(row.name, name);
    const batch = share(batches, BATCH_FIELDS, row);
    return { row, batch, actor: share(actors, ACTOR_FIELDS, row), name: name.no };
  });
  return { batches, actors, names: [...names.values()], events };
}

/** Shared strings are passed to DuckDB once, and joined. */
export async function withRows<T>(
  connection: DuckDBConnection,
  rows: readonly EventRow[],
  columns: readonly string[],
  use: (from: string) => Promise<T>,
): Promise<T> {
  const { batches, actors, names, events } = splitRows(rows);
  const wanted = columns.flatMap((name) => EVENT_COLUMNS.filter((column) => column.name === name));
  // Nulls cost more than constants.
  const isEmpty = ({ field }: EventColumn) => rows.every((row) => row[field] === null);
  const empty = new Set<EventColumn>(wanted.filter(isEmpty));
  const only = (fields: readonly Field[]) =>
    wanted.filter((column) => fields.includes(column.field) && !empty.has(column));
  const selected = wanted.map((column) =>
    empty.has(column) ? `NULL::${column.type} AS ${column.name}` : restoredSql(column),
  );
  const noOf = ({ no }: Numbered) => no;
  try {
    await fill(connection, BATCHES, { batch_no: noOf }, only(BATCH_FIELDS), batches);
    await fill(connection, ACTORS, { actor_no: noOf }, only(ACTOR_FIELDS), actors);
    await fill(connection, NAMES, { name_no: noOf }, only(NAME_FIELDS), names);
    const numbers = {
      batch_no: ({ batch }: Event) => batch,
      actor_no: ({ actor }: Event) => actor,
      name_no: ({ name }: Event) => name,
    };
    await fill(connection, EVENTS, numbers, only(EVENT_FIELDS), events);
    return await use(`(SELECT ${selected.join(', ')} FROM ${EVENTS}
      JOIN ${BATCHES} USING (batch_no) JOIN ${ACTORS} USING (actor_no)
      JOIN ${NAMES} USING (name_no))`);
  } finally {
    for (const part of [BATCHES, ACTORS, NAMES, EVENTS])
      await connection.run(`DROP TABLE IF EXISTS ${part}`);
  }
}

export async function loadRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly EventRow[],
  columns: readonly string[] = EVENT_COLUMN_NAMES,
): Promise<void> {
  const made = await withRows(connection, rows, columns, (from) =>
    connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM ${from}`),
  );
  const [[loaded] = []] = await made.getRows();
  checkRows(Number(loaded), rows.length, table);
}
