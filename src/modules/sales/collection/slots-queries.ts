import { type Db, hasRows, done } from '../../../storage/postgres.ts';

type Lease = { keyId: string; holder: string; leaseSeconds: number };

export const takeSlot = (db: Db, { keyId, holder, leaseSeconds }: Lease) =>
  hasRows(db`
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
    RETURNING slot`);

export const extendSlot = (db: Db, { keyId, holder, leaseSeconds }: Lease) =>
  done(db`
    UPDATE store_key_slots SET expires_at = now() + make_interval(secs => ${leaseSeconds})
    WHERE key_id = ${keyId} AND holder = ${holder}`);

export const releaseSlot = (db: Db, keyId: string, holder: string) =>
  done(db`DELETE FROM store_key_slots WHERE key_id = ${keyId} AND holder = ${holder}`);
