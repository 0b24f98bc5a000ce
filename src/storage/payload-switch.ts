import type { Sql } from './postgres.ts';

/** Since when payloads of workflows are encrypted: from the first start that encrypts them. */
export async function noteEncryptedSince(sql: Sql): Promise<Date> {
  const [row] = await sql<{ since: Date }[]>`
    UPDATE installation SET payloads_encrypted_at = coalesce(payloads_encrypted_at, now())
    RETURNING payloads_encrypted_at AS since`;
  if (!row) throw new Error('The row of the installation is missing.');
  return row.since;
}

/** Plain again: runs that begin from here on are plain, whatever comes after. */
export async function forgetEncryptedSince(sql: Sql): Promise<void> {
  await sql`
    UPDATE installation SET payloads_encrypted_at = NULL WHERE payloads_encrypted_at IS NOT NULL`;
}
