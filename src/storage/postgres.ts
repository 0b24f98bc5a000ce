import postgres from 'postgres';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
/** What a store function takes: the pool, or the transaction that its caller opened. */
export type Db = Sql | Tx;

export type SqlOptions = { maxConnections: number; applicationName: string };

/**
 * The pool of connections. `bigint` columns come back as JavaScript numbers: every count and byte
 * figure here stays far under 2^53. Dates come back as `Date`.
 */
export function createSql(databaseUrl: string, options: SqlOptions): Sql {
  return postgres(databaseUrl, {
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
