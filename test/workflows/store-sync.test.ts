import { describe, expect, test } from 'bun:test';
import { WithStartWorkflowOperation } from '@temporalio/client';
import {
  type CollectResult,
  type SyncResult,
  stopSignal,
  storeSyncContract,
  syncUpdate,
} from '../../src/temporal/contracts/store.ts';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { keepHistory } from '../support/history.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const RUNS = isFullRun ? 600 : 70;
const MEMBERS = 3;
/** What the actor lets a history grow to, and the events of the run and the calls under way then. */
const HISTORY_MAX = 600 + 80;

const temporal = await testTemporal();
const service = await startTestService(await testDatabase(), { temporal });

/** The actor wakes up a second after it has gone to sleep, or when a member asks. */
const wakes = new Map<string, number>();
const nothingDue: CollectResult = {
  beganAtMs: 1,
  checked: 1,
  rowsWritten: 0,
  daysRemaining: 0,
  coveredThrough: '2026-07-14',
  more: false,
  withoutTrials: false,
  stop: null,
  ended: false,
};
/** Runs of the actor `watched`, as they were asked for; the first goes on until it is let go. */
const watched: boolean[] = [];
const firstRun = Promise.withResolvers<void>();
await startTestWorker(service.deps, temporal, {
  collectStoreDays: async ({ orgId, force }) => {
    if (orgId !== 'watched') return nothingDue;
    watched.push(force);
    if (watched.length === 1) await firstRun.promise;
    return { ...nothingDue, checked: force ? 14 : 1 };
  },
  finishStoreSync: async ({ orgId }) => {
    wakes.set(orgId, (wakes.get(orgId) ?? 0) + 1);
    return { waitMs: 1_000, ended: false };
  },
  refreshStoreAppsDaily: async () => undefined,
  collectStoreReviews: async () => undefined,
});

const actor = (orgId: string) =>
  temporal.client.workflow.getHandle(storeSyncContract.workflowId({ orgId }));

/** All histories that the actor has had, the newest first. */
async function historiesOf(orgId: string): Promise<{ runId: string; length: number }[]> {
  const id = storeSyncContract.workflowId({ orgId });
  const histories: { runId: string; length: number }[] = [];
  for await (const { runId } of temporal.client.workflow.list({ query: `WorkflowId = '${id}'` })) {
    const { historyLength } = await temporal.client.workflow.getHandle(id, runId).describe();
    histories.push({ runId, length: historyLength });
  }
  return histories;
}

const startOf = (orgId: string) =>
  new WithStartWorkflowOperation(storeSyncContract.type, {
    workflowId: storeSyncContract.workflowId({ orgId }),
    taskQueue: TASK_QUEUE,
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [{ orgId }],
  });

/** A member who presses refresh until the actor has run often enough; gives what it was told. */
async function pressRefresh(orgId: string): Promise<SyncResult[]> {
  const answers: SyncResult[] = [];
  while ((wakes.get(orgId) ?? 0) < RUNS) {
    answers.push(
      await temporal.client.workflow.executeUpdateWithStart(syncUpdate, {
        startWorkflowOperation: startOf(orgId),
        args: [{ force: true }],
      }),
    );
  }
  return answers;
}

describe('an actor that runs for years', () => {
  test(`keeps its histories short over ${RUNS} runs, and answers everybody on the way`, async () => {
    const orgId = 'long-lived';
    const members = Array.from({ length: MEMBERS }, () => pressRefresh(orgId));
    const answers = (await Promise.all(members)).flat();
    // Nobody was told of a run that had not happened, nor lost with a history that ended.
    expect(new Set(answers.map(({ coveredThrough }) => coveredThrough))).toEqual(
      new Set(['2026-07-14']),
    );
    await actor(orgId).signal(stopSignal);
    await actor(orgId).result();
    // The list of runs follows what happened a little later.
    const histories = await until('its histories are listed', async (saw) => {
      const listed = await historiesOf(orgId);
      saw(listed);
      return listed.length > 2 && listed;
    });
    expect(Math.max(...histories.map(({ length }) => length))).toBeLessThan(HISTORY_MAX);
    const id = storeSyncContract.workflowId({ orgId });
    const { client } = temporal;
    await keepHistory(client, id, 'store-sync/continued', histories.at(-1)?.runId);
  });

  test('who force during a run that nobody forced get a forced one after it', async () => {
    const orgId = 'watched';
    const ask = (force: boolean) =>
      temporal.client.workflow.executeUpdateWithStart<any, SyncResult, [{ force: boolean }]>(
        syncUpdate,
        { startWorkflowOperation: startOf(orgId), args: [{ force }] },
      );
    const first = ask(false);
    await until('the first run is under way', async () => watched.length === 1);
    const forced = [ask(true), ask(true)];
    await until('both are accepted', async () => {
      const { events } = await actor(orgId).fetchHistory();
      return (
        events?.filter((one) => one.workflowExecutionUpdateAcceptedEventAttributes).length === 3
      );
    });
    firstRun.resolve();
    expect((await first).checked).toBe(1);
    expect((await Promise.all(forced)).map(({ checked }) => checked)).toEqual([14, 14]);
    expect(watched.slice(0, 2)).toEqual([false, true]);
    await actor(orgId).signal(stopSignal);
    await actor(orgId).result();
    const id = storeSyncContract.workflowId({ orgId });
    await keepHistory(temporal.client, id, 'store-sync/forced-after-unforced');
  });

  test('wakes up by itself', async () => {
    const orgId = 'sleeper';
    await service.deps.temporal.ensure(storeSyncContract, { orgId });
    await until('it ran three times', async () => (wakes.get(orgId) ?? 0) >= 3);
    await actor(orgId).signal(stopSignal);
    await actor(orgId).result();
  });
});
