import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { must, onlyRow } from '../shared/assert.ts';
import { sleep, toIso } from '../shared/time.ts';
import { audited, currentAudit, listenForEntries } from './audit.ts';
import { whileHolding } from './nested-use.ts';
import {
  BACKGROUND_WAITS,
  localLimits,
  openPool,
  type SqlOptions,
  type WaitLimits,
} from './open-pool.ts';
import { PoolLimits } from './pool-limits.ts';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
export type Db = Sql | Tx;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

type PoolParts = { name: string; beside: Sql };
const parts = new WeakMap<Sql, PoolParts>();

const poolParts = (sql: Sql) => must(parts.get(sql), 'every pool is made by createSql');

/** For transactions whose work uses the pool; exempt from idle limits. */
export const besidePool = (sql: Sql): Sql => poolParts(sql).beside;

/** Exceeds such transactions per process. */
const MAX_BESIDE = 20;

/**
 * `bigint` reads as number: all stay below 2^53. Deadlocked transactions are retried. `WaitLimits`
 * bound all waits.
 */
export function createSql(databaseUrl: string, options: SqlOptions): Sql {
  const waits = options.limits ?? BACKGROUND_WAITS;
  const name = `${options.applicationName}:${randomBytes(4).toString('hex')}`;
  const pool = openPool(databaseUrl, { ...options, applicationName: name, limits: waits });
  const waitsBeside = { ...waits, idleInTransactionMs: 0 };
  const beside = openPool(databaseUrl, {
    ...options,
    maxConnections: MAX_BESIDE,
    limits: waitsBeside,
  });
  const limitWithin = (tx: Tx, limits: WaitLimits) => {
    if (options.isPooled) void tx.unsafe(localLimits(limits)).execute();
  };
  const limits = new PoolLimits(pool, waits.connectionMs);
  const { begin, end, reserve, unsafe } = pool;
  const beginHolding = (...args: unknown[]) => {
    const work = takeWork(args);
    const holding = (tx: Tx) => {
      limitWithin(tx, waits);
      const scope = args.some(isReadOnly) ? null : currentAudit();
      const run = () => work(tx);
      return whileHolding(
        pool,
        scope ? () => audited(tx, { scope, onEntry: options.onAuditEntry }, run) : run,
      );
    };
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
    value: (...args: unknown[]) => {
      const work = takeWork(args);
      const limited = (tx: Tx) => {
        limitWithin(tx, waitsBeside);
        return work(tx);
      };
      return retryClashes(() => Reflect.apply(beginBeside, beside, [...args, limited]));
    },
  });
  const sql = new Proxy(pool, {
    apply: (target, self, args) =>
      currentAudit() && isChange(args)
        ? oneStatement(() => pool.begin((tx) => Reflect.apply(tx, tx, args)))
        : limits.limit(Reflect.apply(target, self, args)),
  });
  if (options.onAuditEntry) listenForEntries(sql, options.onAuditEntry);
  parts.set(sql, { name, beside });
  return sql;
}

function takeWork(args: unknown[]) {
  const work = args.pop();
  if (typeof work !== 'function') throw new TypeError('A transaction needs a callback.');
  return work;
}

const isReadOnly = (given: unknown) => typeof given === 'string' && given.includes('READ ONLY');

const CHANGE = /^\s*(INSERT|UPDATE|DELETE|WITH)\b/;

function isChange([text]: readonly unknown[]): boolean {
  const [first]: readonly unknown[] = Array.isArray(text) && 'raw' in text ? text : [];
  return typeof first === 'string' && CHANGE.test(first);
}

/** Lazy like a statement of the pool. */
const oneStatement = (run: () => Promise<unknown>): PromiseLike<unknown> => ({
  // biome-ignore lint/suspicious/noThenProperty: awaited in place of a statement
  then: (done, failed) => run().then(done, failed),
});

/**
 * Seen from outside the pool. A wait for a lock counts, one for our next message does not. Throws
 * without a database.
 */
export async function isPoolAtWork(sql: Sql, recentMs: number): Promise<boolean> {
  const rows = await besidePool(sql)`
    SELECT 1 FROM pg_stat_activity
    WHERE application_name = ${poolParts(sql).name}
      AND ((state = 'active' AND wait_event IS DISTINCT FROM 'ClientRead')
        OR state_change > clock_timestamp() - ${recentMs} * interval '1 millisecond')`;
  return rows.length > 0;
}

/** File or bucket work between statements. */
export async function mayRest(tx: Tx): Promise<void> {
  await tx`SET LOCAL idle_in_transaction_session_timeout = 0`;
}

export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

export const firstRow = async <T>(rows: PromiseLike<readonly T[]>): Promise<T | null> =>
  (await rows)[0] ?? null;

type Rows<T> = PromiseLike<readonly T[]>;
const onlyValue = <T extends object>(row: T): T[keyof T] => Object.values(row)[0];

export const done = async (statement: PromiseLike<unknown>): Promise<void> => {
  await statement;
};

export const singleRow = async <T>(rows: Rows<T>): Promise<T> => onlyRow(await rows);

export const column = async <T extends object>(rows: Rows<T>): Promise<T[keyof T][]> =>
  (await rows).map(onlyValue);

export const singleValue = async <T extends object>(rows: Rows<T>): Promise<T[keyof T]> =>
  onlyValue(onlyRow(await rows));

export const firstValue = async <T extends object>(rows: Rows<T>): Promise<T[keyof T] | null> => {
  const [row] = await rows;
  return row ? onlyValue(row) : null;
};

export function contractRow(row: object): object {
  const fields = Object.entries(row).map(([column, value]: [string, unknown]) => [
    postgres.toCamel(column),
    value instanceof Date ? toIso(value) : value,
  ]);
  return Object.fromEntries(fields);
}

export const toColumn = postgres.fromCamel;

/** For `INSERT INTO table ${sql(row)}`: snake case. */
export function toColumns(record: object): Record<string, postgres.ParameterOrJSON<never>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [toColumn(name), value]));
}

const ATTEMPTS = 5;
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

/** A standby, or a server set so; the driver ends the connection. */
const READ_ONLY = '25006';

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
  // No pool connection in time, or an idle transaction closed by the server.
  'POOL_EXHAUSTED',
  '25P03',
  // Server starting, stopping, recovering or out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  READ_ONLY,
]);

/** Whether an unchanged retry may succeed. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  const code = String(thrown.code);
  return CONNECTION_FAULTS.has(code) || code.startsWith('08');
}

export function isReadOnlyServer(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === READ_ONLY;
}

export function brokenUniqueConstraint(thrown: unknown): string | null {
  if (!(thrown instanceof postgres.PostgresError) || thrown.code !== '23505') return null;
  return thrown.constraint_name ?? '';
}

/** Deadlock and serialization failure: rolled back, retryable at once. */
const CLASHES = new Set(['40P01', '40001']);
const LOCK_NOT_AVAILABLE = '55P03';

/** After a lost connection the commit may have succeeded. */
export function isRolledBack(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && thrown.severity === 'ERROR';
}

export function isTransactionClash(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && CLASHES.has(thrown.code);
}

export function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && thrown.code === LOCK_NOT_AVAILABLE;
}

const NOT_TEXT = new Set(['22021', '22P05']);

/** NUL, or in JSON half of a surrogate pair. */
export function isNotText(thrown: unknown): boolean {
  if (!(thrown instanceof postgres.PostgresError)) return false;
  return NOT_TEXT.has(thrown.code) || (thrown.code === '22P02' && thrown.message.endsWith('json'));
}

/** Unique violation, or a reference to a row just deleted. */
const LOST_RACES = new Set(['23505', '23503']);

/** Whether a concurrent request changed state checked before. */
export function isLostRace(thrown: unknown): boolean {
  return thrown instanceof postgres.PostgresError && LOST_RACES.has(thrown.code);
}
