import { deleteLease, insertLease, renewLease } from '../../event-store/place.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';

const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = (LEASE_SECONDS / 4) * SECOND_MS;
const NO_ORGANIZATION = '';

/** Replaced event files stay. */
export async function withLease<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
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
