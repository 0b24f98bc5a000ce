import { describe, expect, test } from 'bun:test';
import { Client, WorkflowFailedError } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { openPayloadCodec } from '../../src/temporal/data-converter.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');

const temporal = await testTemporal();
const database = await testDatabase();
const start = (keys: string) =>
  startTestService(database, {
    temporal,
    env: { TEMPORAL_PAYLOADS: 'encrypted', SECRETS_KEY: keys },
  });
const before = await start(OLD);
const after = await start(`${NEW},${OLD}`);

/** As releases encoded before payloads named their key. */
async function withoutKeyId(): Promise<PayloadCodec> {
  const codec = await openPayloadCodec(before.deps.secrets);
  return {
    decode: codec.decode,
    encode: async (payloads) =>
      (await codec.encode(payloads)).map(({ data, metadata }) => ({
        data: data ?? new Uint8Array(),
        metadata: { encoding: metadata?.encoding ?? new Uint8Array() },
      })),
  };
}

const delivery = (workflowId: string, orgId = 'org') => ({
  taskQueue: TASK_QUEUE,
  workflowId,
  args: [{ orgId, deliveryId: `dlv_${workflowId}` }],
});
const refused = async (client: Client, workflowId: string) => {
  const run = client.workflow.execute('webhookDelivery', delivery(workflowId));
  const thrown = await run.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof WorkflowFailedError)) return null;
  return (thrown.cause as any)?.type ?? null;
};

describe('the keys of encrypted payloads', () => {
  test('a new key in front leaves open runs going on, those of unnamed keys too', async () => {
    // As where payloads were encrypted before they were bound to their runs.
    await database.sql`UPDATE installation SET payloads_encrypted_at = now() - interval '1 day'`;
    const attempts: string[] = [];
    const first = await startTestWorker(before.deps, temporal, {
      attemptWebhookDelivery: async ({ deliveryId }) => {
        attempts.push(deliveryId);
        return 'retry';
      },
    });
    const old = new Client({
      connection: temporal.connection,
      namespace: temporal.namespace,
      dataConverter: { payloadCodecs: [await withoutKeyId()] },
    });
    const unnamed = await old.workflow.start('webhookDelivery', delivery('unnamed'));
    const { client } = before.deps.temporal;
    const named = await client.workflow.start('webhookDelivery', delivery('named'));
    await until('both were attempted', async () => new Set(attempts).size === 2);
    await first.stop();
    // While nobody works on them, since their next attempt comes by itself too.
    const rotated = after.deps.temporal.client;
    for (const { workflowId } of [unnamed, named]) {
      await rotated.workflow.getHandle(workflowId).signal('deliverNow');
    }

    const delivered: string[] = [];
    const second = await startTestWorker(after.deps, temporal, {
      attemptWebhookDelivery: async ({ deliveryId }) => {
        delivered.push(deliveryId);
        return 'delivered';
      },
    });
    for (const { workflowId } of [unnamed, named]) {
      await rotated.workflow.getHandle(workflowId).result();
    }
    expect(delivered.toSorted()).toEqual(['dlv_named', 'dlv_unnamed']);

    const handle = await rotated.workflow.start('webhookDelivery', delivery('fresh'));
    await handle.result();
    const { events } = await handle.fetchHistory();
    const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    const keyId = Buffer.from(input?.metadata?.['encryption-key-id'] ?? []).toString();
    expect(keyId).toBe(after.deps.secrets.deriveKeys('temporal-payloads')[0]!.id);
    await second.stop();
  });

  test('the codec endpoint reads what either key has encrypted', async () => {
    const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') };
    const codec = await openPayloadCodec(after.deps.secrets);
    for (const made of [await openPayloadCodec(before.deps.secrets), await withoutKeyId(), codec]) {
      const [decoded] = await codec.decode(await made.encode([payload]));
      expect(Buffer.from(decoded?.data ?? []).toString()).toBe('1');
    }
    const gone = await openPayloadCodec(before.deps.secrets);
    await expect(gone.decode(await codec.encode([payload]))).rejects.toThrow('not in SECRETS_KEY');
  });
});

describe('payloads that are not encrypted', () => {
  test('start no run once payloads are encrypted', async () => {
    const seen: string[] = [];
    const worker = await startTestWorker(after.deps, temporal, {
      attemptWebhookDelivery: async ({ deliveryId }) => {
        seen.push(deliveryId);
        return 'delivered';
      },
    });
    const stranger = new Client({ connection: temporal.connection, namespace: temporal.namespace });
    expect(await refused(stranger, 'forged')).toBe('payload_not_encrypted');
    expect(await refused(stranger, 'forged-deletion')).toBe('payload_not_encrypted');
    expect(seen).toEqual([]);
    expect(await refused(after.deps.temporal.client, 'genuine')).toBeNull();
    expect(seen).toEqual(['dlv_genuine']);
    await worker.stop();
  });

  test('count in runs that began before', async () => {
    const stranger = new Client({ connection: temporal.connection, namespace: temporal.namespace });
    await stranger.workflow.start('webhookDelivery', delivery('earlier'));
    await database.sql`UPDATE installation SET payloads_encrypted_at = now() + interval '1 second'`;
    const seen: string[] = [];
    const worker = await startTestWorker(after.deps, temporal, {
      attemptWebhookDelivery: async ({ deliveryId }) => {
        seen.push(deliveryId);
        return 'delivered';
      },
    });
    await after.deps.temporal.client.workflow.getHandle('earlier').result();
    expect(seen).toEqual(['dlv_earlier']);
    await worker.stop();
  });
});
