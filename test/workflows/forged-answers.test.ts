import { describe, expect, test } from 'bun:test';
import { Context } from '@temporalio/activity';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import { deliverNowSignal } from '../../src/temporal/contracts/webhooks.ts';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { type Activities, startTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
const database = await testDatabase();
const { deps } = await startTestService(database, {
  temporal,
  env: { TEMPORAL_PAYLOADS: 'encrypted' },
});
const { client } = deps.temporal;
/** Somebody who reaches Temporal, and has no key. */
const stranger = new Client({ connection: temporal.connection, namespace: temporal.namespace });
const { namespace } = temporal;

type Held = { id: string; complete: PromiseWithResolvers<void> };
const held = new Map<string, Held>();
const calls: string[] = [];
const given: string[] = [];

async function hold(deliveryId: string): Promise<Held> {
  return until('the attempt is under way', () => held.get(deliveryId));
}

const replaced: Partial<Activities> = {
  attemptWebhookDelivery: async ({ deliveryId }) => {
    calls.push(deliveryId);
    const complete = Promise.withResolvers<void>();
    held.set(deliveryId, { id: '1', complete });
    // Those that nobody lets go on end with the worker.
    await Promise.race([complete.promise, Context.current().cancelled]);
    return 'retry';
  },
  giveUpWebhookDelivery: async ({ deliveryId }) => {
    given.push(deliveryId);
  },
};
await startTestWorker(deps, temporal, replaced);

const inputOf = (name: string) => ({ orgId: 'org', deliveryId: `dlv_${name}` });
const startGenuine = (name: string) =>
  client.workflow.start('webhookDelivery', {
    taskQueue: TASK_QUEUE,
    workflowId: `webhookDelivery/${name}`,
    args: [inputOf(name)],
  });

async function endOf(handle: WorkflowHandle): Promise<string> {
  const thrown: any = await handle.result().then(
    () => null,
    (error: unknown) => error,
  );
  return thrown === null ? 'completed' : thrown.cause?.type;
}

const plain = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

/** The encrypted payload of the first argument of a run, as everybody reads it. */
async function inputCiphertext(handle: WorkflowHandle) {
  const { events } = await handle.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  return proto.api.common.v1.Payload.create(started?.input?.payloads?.[0] ?? {});
}

describe('with encrypted payloads, an answer that no worker gave', () => {
  test.each(['plain', 'of another run'])('is not taken as a result: %s', async (kind) => {
    const name = `result-${kind.replaceAll(' ', '-')}`;
    const handle = await startGenuine(name);
    const { complete } = await hold(`dlv_${name}`);
    const foreign = await startGenuine(`${name}-source`);
    const forged = kind === 'plain' ? plain('delivered') : await inputCiphertext(foreign);
    await temporal.connection.workflowService.respondActivityTaskCompletedById({
      namespace,
      workflowId: handle.workflowId,
      activityId: '1',
      result: { payloads: [forged] },
    });
    expect(await endOf(handle)).toBe('payload_not_encrypted');
    expect(given).toEqual([]);
    complete.resolve();
  });

  test('is not taken as a failure', async () => {
    const handle = await startGenuine('failure');
    const { complete } = await hold('dlv_failure');
    await temporal.connection.workflowService.respondActivityTaskFailedById({
      namespace,
      workflowId: handle.workflowId,
      activityId: '1',
      failure: {
        message: 'No such delivery.',
        applicationFailureInfo: { type: 'not_found', nonRetryable: true },
      },
    });
    expect(await endOf(handle)).toBe('payload_not_encrypted');
    expect(given).toEqual([]);
    complete.resolve();
  });
});

describe('with encrypted payloads, a signal', () => {
  test('without a payload, a plain one and one of another purpose change nothing', async () => {
    const handle = await startGenuine('signal');
    const { complete } = await hold('dlv_signal');
    complete.resolve();
    const attempts = () => calls.filter((one) => one === 'dlv_signal').length;
    await until('it waits', async () => (await handle.describe()).historyLength >= 11);
    const signals = [[], [plain({})], [await inputCiphertext(handle)]];
    for (const payloads of signals) {
      await temporal.connection.workflowService.signalWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: handle.workflowId },
        signalName: 'deliverNow',
        input: { payloads },
      });
    }
    await until('they were seen', async () => (await handle.describe()).historyLength >= 15);
    expect(attempts()).toBe(1);
    held.delete('dlv_signal');
    await handle.signal(deliverNowSignal);
    const second = await hold('dlv_signal');
    expect(attempts()).toBe(2);
    second.complete.resolve();
    await handle.terminate();
  });
});

describe('with encrypted payloads, the ciphertext of one run', () => {
  test('starts no other one, nor another type under the same id', async () => {
    const source = await startGenuine('replayed');
    (await hold('dlv_replayed')).complete.resolve();
    const input = { payloads: [await inputCiphertext(source)] };
    await source.terminate();
    const start = async (workflowId: string, name: string) => {
      await temporal.connection.workflowService.startWorkflowExecution({
        namespace,
        workflowId,
        workflowType: { name },
        taskQueue: { name: TASK_QUEUE },
        input,
        requestId: crypto.randomUUID(),
      });
      return endOf(stranger.workflow.getHandle(workflowId));
    };
    expect(await start('elsewhere', 'webhookDelivery')).toBe('payload_not_encrypted');
    expect(await start(source.workflowId, 'appProvisioning')).toBe('payload_not_encrypted');
  });

  test('is no input of an activity in a run of the sender', async () => {
    const source = await startGenuine('activity');
    (await hold('dlv_activity')).complete.resolve();
    const ciphertext = await inputCiphertext(source);
    await source.terminate();
    const before = calls.length;
    for (const payload of [ciphertext, plain(inputOf('activity'))]) {
      const taskQueue = { name: `stranger-${crypto.randomUUID()}` };
      const workflowId = source.workflowId;
      const { workflowService } = temporal.connection;
      await workflowService.startWorkflowExecution({
        namespace,
        workflowId,
        workflowType: { name: 'x' },
        taskQueue,
        requestId: crypto.randomUUID(),
      });
      const poll = () =>
        temporal.connection.withDeadline(Date.now() + 60_000, () =>
          workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
        );
      const attributes = {
        activityId: '1',
        activityType: { name: 'isAppWanted' },
        taskQueue: { name: TASK_QUEUE },
        input: { payloads: [payload] },
        startToCloseTimeout: { seconds: 30 as any },
        scheduleToCloseTimeout: { seconds: 30 as any },
      };
      await workflowService.respondWorkflowTaskCompleted({
        namespace,
        taskToken: (await poll()).taskToken,
        commands: [{ commandType: 1, scheduleActivityTaskCommandAttributes: attributes }],
      });
      const { history } = await poll();
      const failed = history?.events?.find((event) => event.activityTaskFailedEventAttributes);
      const info = failed?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo;
      expect(info?.type).toBe('payload_not_encrypted');
      await stranger.workflow.getHandle(workflowId).terminate();
    }
    expect(calls).toHaveLength(before);
  });
});
