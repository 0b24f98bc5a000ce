import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import { whileHolding } from '../../../storage/nested-use.ts';
import type { Sql } from '../../../storage/postgres.ts';

/** better-auth's tables, which it describes to itself. */
export type AuthDb = Kysely<Record<string, Record<string, unknown>>>;

export type AuthDatabase = {
  db: AuthDb;
  /** The transaction of better-auth that the caller, one of its hooks, runs in; else `db`. */
  current: () => AuthDb;
};

/** better-auth's tables live in a PostgreSQL schema of their own (migration 0001). */
export const AUTH_SCHEMA = 'auth';

/**
 * Kysely's own rollback wants a connection of its own making to throw away; a connection that is lost
 * was rolled back by the server, and the fault that led here is the one to tell.
 */
class AuthDialect extends PostgresJSDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
    };
    return driver;
  }
}

/** The service's own pool as better-auth uses it. */
export function createAuthDatabase(sql: Sql): AuthDatabase {
  const transactions = new AsyncLocalStorage<AuthDb>();
  const dialect = new AuthDialect({ postgres: sql });
  const kysely: AuthDb = new Kysely({ dialect });
  const db = kysely.withSchema(AUTH_SCHEMA);
  // better-auth asks for the schema that it has.
  db.withSchema = () => db;
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const transaction = begin();
    const execute = transaction.execute.bind(transaction);
    transaction.execute = (work) =>
      execute((trx) => whileHolding(sql, () => transactions.run(trx, () => work(trx))));
    return transaction;
  };
  return { db, current: () => transactions.getStore() ?? db };
}
