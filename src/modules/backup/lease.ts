import { deleteLease, insertLease, renewLease } from '../../event-store/read.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';

/** Gone so soon after a backup was killed. */
const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = (LEASE_SECONDS / 4) * SECOND_MS;
const NOBODY = '';

/** Does the work while event files that are replaced stay where they are. */
export async function holdingFiles<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const leaseId = await insertLease(sql, NOBODY, LEASE_SECONDS);
  const renewal = setInterval(
    () => void renewLease(sql, leaseId, LEASE_SECONDS).catch(() => undefined),
    RENEW_EVERY_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await deleteLease(sql, leaseId);
  }
}
