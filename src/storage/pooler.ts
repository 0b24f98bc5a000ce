import { onlyRow } from '../shared/assert.ts';
import { lock, withLock } from './locks.ts';
import { BACKGROUND_WAITS, PATIENT } from './open-pool.ts';
import { createSql, type Sql } from './postgres.ts';

/** A pooler makes up the process id of a session. */
export async function isBehindPooler(sql: Sql): Promise<boolean> {
  const rows = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return rows.state.pid !== onlyRow(rows).pid;
}

/** A lock that one takes is held for the other. */
export const isSameDatabase = (sql: Sql, other: Sql): Promise<boolean> =>
  other.begin(async (tx) => {
    await lock(tx, 'sameDatabase');
    return (await withLock(sql, 'sameDatabase', async () => true)) === null;
  });

export async function whileOpen<T>(
  databaseUrl: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const options = { maxConnections: 1, applicationName: 'launcher', isPooled: true };
  const sql = createSql(databaseUrl, { ...options, limits: PATIENT });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export const looksPooled = (databaseUrl: string) => whileOpen(databaseUrl, isBehindPooler);

export async function limitRole(sql: Sql): Promise<void> {
  const { lockMs, idleInTransactionMs } = BACKGROUND_WAITS;
  const limits = [
    `lock_timeout=${lockMs}`,
    `idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    'TimeZone=UTC', // Not every pooler passes it on.
  ];
  await sql.begin(async (tx) => {
    await lock(tx, 'migrations');
    const found = await tx`
      SELECT 1 FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
      JOIN pg_roles r ON r.oid = s.setrole
      WHERE d.datname = current_database() AND r.rolname = current_user
        AND s.setconfig @> ${limits}::text[]`;
    if (found.length > 0) return;
    for (const [name, value] of limits.map((limit) => limit.split('='))) {
      await tx.unsafe(`DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I
        SET ${name} = ''${value}''', current_database()); END $$`);
    }
  });
}
