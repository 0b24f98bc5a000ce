import { deleteLease, insertLease, renewLease } from '../../event-store/place.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';

/** Expires this soon after a backup was killed. */
const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = (LEASE_SECONDS / 4) * SECOND_MS;
/** A lease of no organization in particular. */
const NO_ORGANIZATION = '';

/** Runs `work` under a lease that keeps replaced event files from being deleted. */
export async function holdingFiles<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const leaseId = await insertLease(sql, NO_ORGANIZATION, LEASE_SECONDS);
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
