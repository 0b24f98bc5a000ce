import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { currentAudit } from '../../../storage/audit.ts';
import type { Db, Sql, Tx } from '../../../storage/postgres.ts';

const held = new AsyncLocalStorage<Tx>();

/** better-auth and `db` in one transaction, which writes the entry of the audit. */
export function together<T>(sql: Sql, work: (db: Db) => Promise<T>): Promise<T> {
  if (!currentAudit()) return work(sql);
  const run = (tx: Tx): Promise<T> => held.run(tx, () => work(tx));
  return sql.begin(run) as Promise<T>;
}

class HeldConnection implements DatabaseConnection {
  constructor(private readonly tx: Tx) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.tx.unsafe<(R & object)[]>(sql, [...parameters] as never[]);
    return { rows: [...rows], numAffectedRows: BigInt(rows.count ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: better-auth streams nothing
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Nothing is streamed within a held transaction.');
  }
}

const SAVEPOINTS = {
  beginTransaction: 'SAVEPOINT better_auth',
  commitTransaction: 'RELEASE SAVEPOINT better_auth',
  rollbackTransaction: 'ROLLBACK TO SAVEPOINT better_auth',
} as const;

/** Takes the transaction that is held, where one is. */
export function takeHeld(driver: Driver): Driver {
  const { acquireConnection, releaseConnection } = driver;
  driver.acquireConnection = async (...given) => {
    const tx = held.getStore();
    return tx ? new HeldConnection(tx) : acquireConnection.apply(driver, given);
  };
  driver.releaseConnection = async (connection, ...rest) => {
    if (connection instanceof HeldConnection) return;
    await releaseConnection.call(driver, connection, ...rest);
  };
  const begin = driver.beginTransaction;
  const others = { commit: driver.commitTransaction, rollback: driver.rollbackTransaction };
  const point = (connection: DatabaseConnection, text: string) =>
    connection.executeQuery(CompiledQuery.raw(text)).then(() => undefined);
  driver.beginTransaction = (connection, settings) =>
    connection instanceof HeldConnection
      ? point(connection, SAVEPOINTS.beginTransaction)
      : begin.call(driver, connection, settings);
  driver.commitTransaction = (connection) =>
    connection instanceof HeldConnection
      ? point(connection, SAVEPOINTS.commitTransaction)
      : others.commit.call(driver, connection);
  driver.rollbackTransaction = (connection) =>
    connection instanceof HeldConnection
      ? point(connection, SAVEPOINTS.rollbackTransaction)
      : others.rollback.call(driver, connection);
  return driver;
}
