import type { StoreRateLimit } from '../../../providers/store/port.ts';
import { StoreFault } from '../../../providers/store/port.ts';
import { type Limiter, limitConcurrency } from '../../../shared/concurrency.ts';
import { SECOND_MS, sleep } from '../../../shared/time.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { extendSlot, releaseSlot, takeSlot } from './slots-queries.ts';

const PLACES = 2;
const ASK_EVERY_MS = 150;
const WAIT_MAX_MS = 45 * SECOND_MS;
const LEASE_SECONDS = 10;
const RENEWALS = 3;

/** The store answers 429 to more, over all hosts. */
export function createKeySlots(sql: Sql, leaseSeconds = LEASE_SECONDS): StoreRateLimit {
  const queues = new Map<string, { limit: Limiter; users: number }>();
  const waitForSlot = async (keyId: string, holder: string): Promise<void> => {
    const end = Date.now() + WAIT_MAX_MS;
    while (!(await takeSlot(sql, { keyId, holder, leaseSeconds }))) {
      if (Date.now() > end) throw new StoreFault('unavailable', 'The key is busy elsewhere.');
      await sleep(ASK_EVERY_MS);
    }
  };
  return async (keyId, request) => {
    const queue = queues.get(keyId) ?? { limit: limitConcurrency(PLACES), users: 0 };
    queues.set(keyId, queue);
    queue.users += 1;
    try {
      return await queue.limit(async () => {
        const holder = crypto.randomUUID();
        await waitForSlot(keyId, holder);
        const renew = () => extendSlot(sql, { keyId, holder, leaseSeconds }).catch(() => undefined);
        const timer = setInterval(renew, (leaseSeconds * SECOND_MS) / RENEWALS);
        try {
          return await request();
        } finally {
          clearInterval(timer);
          await releaseSlot(sql, keyId, holder).catch(() => undefined);
        }
      });
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(keyId);
    }
  };
}
