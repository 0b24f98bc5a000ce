import type { Db } from '../../storage/postgres.ts';

/** Takes one of the key's two slots for so long, or gives false when both are held. */
export async function takeSlot(
  db: Db,
  { keyId, holder, leaseSeconds }: { keyId: string; holder: string; leaseSeconds: number },
): Promise<boolean> {
  const rows = await db`
    INSERT INTO store_key_slots AS held (key_id, slot, holder, expires_at)
    SELECT ${keyId}, slot, ${holder}, now() + make_interval(secs => ${leaseSeconds})
    FROM (VALUES (1), (2)) AS slots (slot)
    WHERE NOT EXISTS (
      SELECT 1 FROM store_key_slots taken
      WHERE taken.key_id = ${keyId} AND taken.slot = slots.slot AND taken.expires_at > now()
    )
    ORDER BY slot LIMIT 1
    ON CONFLICT (key_id, slot) DO UPDATE SET holder = excluded.holder,
      expires_at = excluded.expires_at
      WHERE held.expires_at <= now()
    RETURNING slot`;
  return rows.length > 0;
}

export async function releaseSlot(db: Db, keyId: string, holder: string): Promise<void> {
  await db`DELETE FROM store_key_slots WHERE key_id = ${keyId} AND holder = ${holder}`;
}
