import { describe, expect, test } from 'bun:test';
import { Context } from '@temporalio/activity';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import { askActor } from '../../src/modules/sales/collection/actor.ts';
import { HOUR_MS } from '../../src/shared/time.ts';
import { storeSyncContract, syncUpdate } from '../../src/temporal/contracts/store.ts';
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
/** The organization, and whether it was forced. */
const collected: string[] = [];
const NOTHING_DUE = {
  ...{ rowsWritten: 0, daysRemaining: 0, coveredThrough: null, more: false },
  ...{ withoutTrials: false, stop: null, ended: false },
};

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
  collectStoreDays: async ({ orgId, force }) => {
    collected.push(`${orgId} ${force}`);
    return { ...NOTHING_DUE, checked: 1, beganAtMs: Date.now() };
  },
  finishStoreSync: async () => ({ waitMs: HOUR_MS, ended: false }),
  refreshStoreAppsDaily: async () => undefined,
  collectStoreReviews: async () => undefined,
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

describe('with encrypted payloads, an update', () => {
  /** The actor of a connected store, which waits for the next collection. */
  async function waitingActor(name: string): Promise<WorkflowHandle> {
    const { workflowId } = await deps.temporal.ensure(storeSyncContract, { orgId: name });
    await until('it waits', () => collected.includes(`${name} false`));
    return client.workflow.getHandle(workflowId);
  }

  const forcedOf = (name: string) => collected.filter((one) => one === `${name} true`).length;

  async function send({ workflowId }: WorkflowHandle, payload: proto.api.common.v1.IPayload) {
    const { outcome } = await temporal.connection.withDeadline(Date.now() + 60_000, () =>
      temporal.connection.workflowService.updateWorkflowExecution({
        namespace,
        workflowExecution: { workflowId },
        waitPolicy: {
          lifecycleStage:
            proto.api.enums.v1.UpdateWorkflowExecutionLifecycleStage
              .UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED,
        },
        request: {
          meta: { updateId: crypto.randomUUID(), identity: 'stranger' },
          input: { name: syncUpdate.name, args: { payloads: [payload] } },
        },
      }),
    );
    return outcome?.failure?.applicationFailureInfo?.type ?? 'done';
  }

  /** The encrypted payload of the last update that a run was sent, as everybody reads it. */
  async function updateCiphertext(handle: WorkflowHandle) {
    const { events } = await handle.fetchHistory();
    const taken = events?.findLast((one) => one.workflowExecutionUpdateAcceptedEventAttributes);
    const request = taken?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
    return proto.api.common.v1.Payload.create(request?.input?.args?.payloads?.[0] ?? {});
  }

  test('that is plain, or replayed from elsewhere, is refused; the genuine one is carried out', async () => {
    const [handle, other] = [await waitingActor('updated'), await waitingActor('other')];
    const question = { force: true };
    const update = (orgId: string) =>
      askActor(deps, orgId, question).then(({ checked }) => checked);
    expect(await update('other')).toBe(1);
    const forged = {
      plain: plain(question),
      'the update of another run': await updateCiphertext(other),
      'the input of the run': await inputCiphertext(handle),
      'the input of another run': await inputCiphertext(other),
    };
    for (const [name, payload] of Object.entries(forged)) {
      expect([name, await send(handle, payload)]).toEqual([name, 'payload_not_encrypted']);
    }
    expect(forcedOf('updated')).toBe(0);
    expect(await update('updated')).toBe(1);
    expect(forcedOf('updated')).toBe(1);
    expect((await handle.describe()).status.name).toBe('RUNNING');

    // To the run that it was for it can be sent again, which does no more than it did.
    expect(await send(handle, await updateCiphertext(handle))).toBe('done');
    expect(forcedOf('updated')).toBe(2);
    await Promise.all([handle.terminate(), other.terminate()]);
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
    // Deliveries of the tests before go on meanwhile.
    const attempts = () => calls.filter((one) => one === 'dlv_activity').length;
    const before = attempts();
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
    expect(attempts()).toBe(before);
  });
});
