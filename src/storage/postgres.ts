import postgres from 'postgres';
import { sleep, toIso } from '../shared/time.ts';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
/** What a store function takes: the pool, or the transaction that its caller opened. */
export type Db = Sql | Tx;
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

export type SqlOptions = { maxConnections: number; applicationName: string };

/**
 * The pool of connections. `bigint` columns come back as JavaScript numbers: every count and byte
 * figure here stays far under 2^53. Dates come back as `Date`. A transaction that PostgreSQL breaks
 * off because of another one is begun again.
 */
export function createSql(databaseUrl: string, options: SqlOptions): Sql {
  const sql = postgres(databaseUrl, {
    max: options.maxConnections,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    backoff: (attempt) => Math.min(2, 0.1 * 2 ** attempt),
    onnotice: () => undefined,
    connection: { application_name: options.applicationName, TimeZone: 'UTC' },
    types: {
      bigint: {
        to: 20,
        from: [20],
        parse: (text: string) => Number(text),
        serialize: (value: number) => String(value),
      },
    },
  });
  const { begin } = sql;
  const retrying = (...args: unknown[]) => retryClashes(() => Reflect.apply(begin, sql, args));
  Object.defineProperty(sql, 'begin', { value: retrying });
  return sql;
}

/** A row as the contract names and writes its fields: camel case, instants as ISO 8601. */
export function contractRow(row: object): object {
  const fields = Object.entries(row).map(([column, value]: [string, unknown]) => [
    postgres.toCamel(column),
    value instanceof Date ? toIso(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/** A record as `INSERT INTO table ${sql(row)}` takes it: with the names of columns. */
export function columnsOf(record: object): Record<string, postgres.ParameterOrJSON<never>> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [postgres.fromCamel(name), value]),
  );
}

const ATTEMPTS = 5;
/** Max random delay before a retry, growing with each attempt, to break repeated clashes. */
const PAUSE_MAX_MS = 40;

async function retryClashes(transaction: () => Promise<unknown>): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (thrown) {
      if (attempt === ATTEMPTS || !isTransactionClash(thrown)) throw thrown;
      await sleep(Math.random() * PAUSE_MAX_MS * attempt);
    }
  }
}

const CONNECTION_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ERR_SOCKET_CLOSED',
  // The server is starting, stopping or recovering, or has no connection left.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** True when the database was away: the statement may work later, unchanged. */
export function isDatabaseAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  const code = String(thrown.code);
  return CONNECTION_FAULTS.has(code) || code.startsWith('08');
}

/** The name of the unique constraint that a statement broke, or null when it was something else. */
export function brokenUniqueConstraint(thrown: unknown): string | null {
  if (!(thrown instanceof postgres.PostgresError) || thrown.code !== '23505') return null;
  return thrown.constraint_name ?? '';
}

/** Deadlocks and serialization failures: rolled back and retryable at once. */
const CLASHES = new Set(['40P01', '40001']);

/** True when PostgreSQL rolled a transaction back because of another one. */
export function isTransactionClash(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && CLASHES.has(thrown.code);
}

/** A unique violation, and a reference to a row that has just been removed. */
const LOST_RACES = new Set(['23505', '23503']);

/** True when a concurrent request changed what was checked before. */
export function isLostRace(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && LOST_RACES.has(thrown.code);
}
