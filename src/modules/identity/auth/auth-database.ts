import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import { whileHolding } from '../../../storage/nested-use.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { takeHeld } from './together.ts';

/** Untyped: better-auth describes its own tables. */
export type AuthDb = Kysely<Record<string, Record<string, unknown>>>;

export type AuthDatabase = {
  db: AuthDb;
  /** The calling better-auth hook. */
  current: () => AuthDb;
};

/** Own PostgreSQL schema (migration 0001). */
export const AUTH_SCHEMA = 'auth';

/** Kysely's rollback on a lost connection would hide the original error. */
class AuthDialect extends PostgresJSDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
    };
    return takeHeld(driver);
  }
}

export function createAuthDatabase(sql: Sql): AuthDatabase {
  const transactions = new AsyncLocalStorage<AuthDb>();
  const dialect = new AuthDialect({ postgres: sql });
  const kysely: AuthDb = new Kysely({ dialect });
  const db = kysely.withSchema(AUTH_SCHEMA);
  // better-auth sets the schema that is set already.
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
