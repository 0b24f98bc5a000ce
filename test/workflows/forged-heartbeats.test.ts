import { afterAll, describe, expect, test } from 'bun:test';
import { Context } from '@temporalio/activity';
import { webhookDeliveryContract } from '../../src/temporal/contracts/webhooks.ts';
import { forge, grpcDoor, plainPayload, UNREADABLE } from '../support/forgery/doors.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { runTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
/** Somebody who reaches Temporal, and has no key. */
const door = grpcDoor(temporal.connection, temporal.namespace);
const LIES = [plainPayload({ isDone: true, attempt: 99 }), ...UNREADABLE];

async function serviceWith(payloads: 'plain' | 'encrypted') {
  const env = { TEMPORAL_PAYLOADS: payloads };
  return { payloads, ...(await startTestService(await testDatabase(), { temporal, env })) };
}
const services = [await serviceWith('plain'), await serviceWith('encrypted')];

describe.each(services)('with $payloads payloads', ({ payloads, deps }) => {
  const told: unknown[] = [];
  let first: PromiseWithResolvers<void> | null = null;
  let stop: (() => Promise<void>) | null = null;
  afterAll(() => stop?.());

  test('no attempt is told, nor kept from its work, by a heartbeat that no worker sent', async () => {
    const worker = await runTestWorker(deps, temporal, {
      attemptWebhookDelivery: async () => {
        const { attempt, heartbeatDetails } = Context.current().info;
        if (attempt > 1) {
          told.push(heartbeatDetails);
          return 'delivered';
        }
        first = Promise.withResolvers<void>();
        await first.promise;
        throw new Error('The first attempt fails.');
      },
    });
    stop = worker.stop;
    for (const [n, lie] of LIES.entries()) {
      const input = { orgId: 'org', deliveryId: `dlv_${payloads}-${n}` };
      const handle = await deps.temporal.ensure(webhookDeliveryContract, input);
      const under = await until('the first attempt is under way', () => first);
      expect(await door.send(forge.heartbeat(handle.workflowId, '1', lie))).toBe(true);
      under.resolve();
      first = null;
      const attempts = await until('the run has ended', async () => {
        const { status, raw } = await handle.describe();
        const [pending] = raw.pendingActivities ?? [];
        if (status.name !== 'RUNNING') return status.name;
        return (pending?.attempt ?? 1) > 3 && 'its attempts fail';
      });
      expect([n, attempts]).toEqual([n, 'COMPLETED']);
    }
    expect(told).toEqual(LIES.map(() => undefined));
  });
});
