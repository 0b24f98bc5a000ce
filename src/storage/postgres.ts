import postgres from 'postgres';
import { must } from '../shared/assert.ts';
import { sleep, toIso } from '../shared/time.ts';
import { whileHolding } from './nested-use.ts';
import { PoolLimits } from './pool-limits.ts';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
/** What a store function takes: the pool, or the transaction that its caller opened. */
export type Db = Sql | Tx;
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** What waits may take, in milliseconds; 0 is no limit where PostgreSQL sets it. */
export type WaitLimits = {
  /** For a connection of the pool. */
  connectionMs: number;
  /** For a lock, which ends a statement with 55P03. */
  lockMs: number;
  /** For the next statement of an open transaction, which is undone and its connection closed. */
  idleInTransactionMs: number;
};

/** For migrations, which wait for those of another host however long they take. */
export const PATIENT: WaitLimits = { connectionMs: 60_000, lockMs: 0, idleInTransactionMs: 0 };

/** For work in the background: it is tried again, and may follow an erasure or a rewriting of files. */
const IN_THE_BACKGROUND: WaitLimits = {
  connectionMs: 30_000,
  lockMs: 60_000,
  idleInTransactionMs: 120_000,
};

export type SqlOptions = {
  maxConnections: number;
  applicationName: string;
  limits?: WaitLimits;
};

function open(databaseUrl: string, { maxConnections, applicationName, limits }: OpenOptions): Sql {
  return postgres(databaseUrl, {
    max: maxConnections,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    backoff: (attempt) => Math.min(2, 0.1 * 2 ** attempt),
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    },
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

type OpenOptions = SqlOptions & { limits: WaitLimits };
/** What belongs to a pool, beside its connections. */
type PoolParts = { limits: PoolLimits; beside: Sql };
const parts = new WeakMap<Sql, PoolParts>();

const partsOf = (sql: Sql) => must(parts.get(sql), 'every pool is made by createSql');

/**
 * Connections beside the pool, for transactions whose work uses the pool meanwhile: locks, and the
 * publisher of the lake, whose files the object store looks up. Few at a time; they may rest.
 */
export const besidePool = (sql: Sql): Sql => partsOf(sql).beside;

/** More than there are such transactions in one process. */
const MAX_BESIDE = 20;

/**
 * The pool of connections. `bigint` columns come back as JavaScript numbers: every count and byte
 * figure here stays far under 2^53. Dates come back as `Date`. A transaction that PostgreSQL breaks
 * off because of another one is begun again. No wait is without end: see `WaitLimits`.
 */
export function createSql(databaseUrl: string, options: SqlOptions): Sql {
  const waits = options.limits ?? IN_THE_BACKGROUND;
  const pool = open(databaseUrl, { ...options, limits: waits });
  const beside = open(databaseUrl, {
    applicationName: options.applicationName,
    maxConnections: MAX_BESIDE,
    limits: { ...waits, idleInTransactionMs: 0 },
  });
  const limits = new PoolLimits(pool, waits.connectionMs);
  const { begin, end, reserve, unsafe } = pool;
  const beginHolding = (...args: unknown[]) => {
    const work = args.pop();
    if (typeof work !== 'function') throw new TypeError('A transaction needs its work.');
    const holding = (tx: Tx) => whileHolding(pool, () => work(tx));
    return Reflect.apply(begin, pool, [...args, holding]);
  };
  const replaced = {
    begin: (...args: unknown[]) => retryClashes(() => beginHolding(...args)),
    end: async (...args: unknown[]) => {
      await Promise.all([Reflect.apply(end, pool, args), beside.end({ timeout: 0 })]);
    },
    reserve: () => limits.reserve(() => Reflect.apply(reserve, pool, [])),
    unsafe: (...args: unknown[]) => limits.limit(Reflect.apply(unsafe, pool, args)),
  };
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(pool, name, { value });
  }
  const beginBeside = beside.begin;
  Object.defineProperty(beside, 'begin', {
    value: (...args: unknown[]) => retryClashes(() => Reflect.apply(beginBeside, beside, args)),
  });
  const sql = new Proxy(pool, {
    apply: (target, self, args) => limits.limit(Reflect.apply(target, self, args)),
  });
  parts.set(sql, { limits, beside });
  return sql;
}

/**
 * Whether a connection of the pool carries out a statement or ended one within `recentMs`, asked on a
 * connection beside it. One that waits for a lock does not: its holder may be another one of the pool.
 * Throws when the database is away.
 */
export async function isPoolAtWork(sql: Sql, recentMs: number): Promise<boolean> {
  const rows = await besidePool(sql)`
    SELECT 1 FROM pg_stat_activity
    WHERE pid = ANY (${partsOf(sql).limits.pids()}::int[])
      AND wait_event_type IS DISTINCT FROM 'Lock'
      AND (state = 'active'
        OR state_change > clock_timestamp() - ${recentMs} * interval '1 millisecond')`;
  return rows.length > 0;
}

/** For a transaction that works elsewhere, on files or in a bucket, between its statements. */
export async function mayRest(tx: Tx): Promise<void> {
  await tx`SET LOCAL idle_in_transaction_session_timeout = 0`;
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
  // No connection of the pool became free, or the server closed one that left a transaction open.
  'POOL_EXHAUSTED',
  '25P03',
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
/** `lock_timeout`: somebody holds what this transaction needs. */
const LOCK_NOT_AVAILABLE = '55P03';

/** True when PostgreSQL rolled a transaction back because of another one. */
export function isTransactionClash(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && CLASHES.has(thrown.code);
}

/** True when a lock was not free in time. */
export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && thrown.code === LOCK_NOT_AVAILABLE;
}

/** A unique violation, and a reference to a row that has just been removed. */
const LOST_RACES = new Set(['23505', '23503']);

/** True when a concurrent request changed what was checked before. */
export function isLostRace(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && LOST_RACES.has(thrown.code);
}
