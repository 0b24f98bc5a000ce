import { beforeEach, describe, expect, test } from 'bun:test';
import { ensureMissingRuns } from '../../../src/app/reconcile.ts';
import type { Deps } from '../../../src/context.ts';
import { DUE_AT_ONCE, fillAllSlots } from '../../../src/modules/webhooks/slots.ts';
import { fillSlots } from '../../../src/modules/webhooks/slots-queries.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const database = await testDatabase();
const { sql } = database;
const service = await startTestService(database);
const MANY = 200;

/** A Temporal that notes what is started. */
const started: string[] = [];
let under = 0;
let most = 0;
let refuses = (_deliveryId: string) => false;
const ensure = async (_contract: unknown, { deliveryId }: { deliveryId: string }) => {
  under += 1;
  most = Math.max(most, under);
  await Promise.resolve();
  under -= 1;
  if (refuses(deliveryId)) throw new Error('refused');
  started.push(deliveryId);
};
const temporal = { ensure, fault: async () => null } as unknown as Deps['temporal'];
const deps: Deps = Object.defineProperties(
  {} as Deps,
  Object.getOwnPropertyDescriptors(service.deps),
);
Object.assign(deps, { temporal });

const addDeliveries = async (orgId: string, count: number) => {
  await sql`
    INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
    VALUES (${orgId}, ${orgId}, 'https://example.com', '{}', 'sealed', now())`;
  await sql`
    INSERT INTO webhook_deliveries
      (delivery_id, org_id, webhook_id, event_type, body, status, created_at)
    SELECT ${orgId} || '-' || i, ${orgId}, ${orgId}, 'test', '{}', 'pending',
      now() + i * interval '1 microsecond'
    FROM generate_series(1, ${count}::int) AS i`;
};

beforeEach(async () => {
  await sql`DELETE FROM webhooks`;
  started.length = 0;
  most = 0;
  refuses = () => false;
});

describe('deliveries without a run', () => {
  test('of one organization do not hold up those of another, and all are started once', async () => {
    await addDeliveries('many', MANY);
    await addDeliveries('few', 2);
    await ensureMissingRuns(deps);
    expect(started.filter((id) => id.startsWith('many'))).toHaveLength(DUE_AT_ONCE);
    expect(started).toContain('few-1');
    expect(started).toContain('few-2');
    // The next begin when places are free: as attempts end, or wait to be made again.
    await ensureMissingRuns(deps);
    expect(started).toHaveLength(DUE_AT_ONCE + 2);
    for (let even = true; started.length < MANY + 2; even = !even) {
      await (even
        ? sql`UPDATE webhook_deliveries SET status = 'delivered' WHERE attempt_due_at <= now()`
        : sql`UPDATE webhook_deliveries SET attempt_due_at = now() + interval '1 hour'
            WHERE status = 'pending' AND attempt_due_at <= now()`);
      const before = started.length;
      await ensureMissingRuns(deps);
      expect(started.length - before).toBe(Math.min(DUE_AT_ONCE, MANY + 2 - before));
    }
    expect(new Set(started).size).toBe(MANY + 2);
    expect(most).toBeLessThanOrEqual(20);
  });

  test('of many processes at once never take more turns than there are places', async () => {
    await addDeliveries('many', 200);
    await Promise.all(Array.from({ length: 8 }, () => fillAllSlots(sql)));
    const [row] = await sql`
      SELECT count(*) AS taken FROM webhook_deliveries WHERE attempt_due_at IS NOT NULL`;
    expect(row?.taken).toBe(DUE_AT_ONCE);
  });

  test('have no place beside turns that were taken while their transaction waited', async () => {
    await addDeliveries('many', 40);
    const begun = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    const taken = sql.begin(async (tx) => {
      await tx`SELECT 'the transaction begins here'`;
      begun.resolve();
      await others.promise;
      return fillSlots(tx, 'many', DUE_AT_ONCE);
    });
    await begun.promise;
    await fillAllSlots(sql);
    others.resolve();
    expect(await taken).toHaveLength(0);
  });

  test('are tried again when they could not be started, and not when they could', async () => {
    await addDeliveries('some', 3);
    refuses = (id) => id === 'some-2';
    expect(await ensureMissingRuns(deps)).toBe(false);
    refuses = () => false;
    await ensureMissingRuns(deps);
    await ensureMissingRuns(deps);
    expect(started).toEqual(['some-1', 'some-3', 'some-2']);
  });
});
