import { describe, expect, test } from 'bun:test';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import * as workflows from '../../workflows/index.ts';
import { deafProviders, everyRow, fullWorld, type World } from '../support/forged-world.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { runTestWorker } from '../support/worker.ts';

const temporal = await testTemporal();
/** Somebody who reaches Temporal, and nothing else of the service. */
const stranger = new Client({ connection: temporal.connection, namespace: temporal.namespace });
const { workflowService } = temporal.connection;

const FORGED = { force: true, existingProjectRef: null, rows: 1e9 };
/** Does what its pending row asks for, whoever says so. */
const OF_ITS_ROW = new Set(['purchaseForward']);

const inputOf = (world: World) => ({ ...world, ...FORGED, environment: 'Production' });

/** Until it has ended, or only waits. */
async function comesToRest(handle: WorkflowHandle): Promise<string> {
  return until('the run comes to rest', async () => {
    const { status, raw } = await handle.describe();
    if (status.name !== 'RUNNING') return status.name;
    const isBusy = raw.pendingWorkflowTask || (raw.pendingActivities ?? []).some(isFirst);
    return isBusy ? null : status.name;
  });
}
const isFirst = ({ attempt }: { attempt?: number | null }) => (attempt ?? 1) < 2;

const plain = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

async function forgeRun(type: string, world: World): Promise<string> {
  const workflowId = `forged-${type}`;
  const args = [inputOf(world)];
  const handle = await stranger.workflow.start(type, { taskQueue: TASK_QUEUE, workflowId, args });
  for (const signal of ['stop', 'reconnected', 'deliverNow']) {
    await handle.signal(signal, inputOf(world)).catch(() => undefined);
  }
  for (const update of ['sync', 'connectBackend']) {
    const args: [object] = [inputOf(world)];
    const options = { args, waitForStage: 'ACCEPTED' as const };
    await temporal.connection
      .withDeadline(Date.now() + 3_000, () =>
        handle.startUpdate<unknown, [object]>(update, options),
      )
      .catch(() => undefined);
  }
  const end = await comesToRest(handle);
  await handle.terminate().catch(() => undefined);
  return end;
}

/** Answers every activity of the run in the place of a worker, before one can. */
async function forgeAnswers(world: World): Promise<void> {
  for (const type of Object.keys(workflows)) {
    const workflowId = `answered-${type}`;
    const args = [inputOf(world)];
    const handle = await stranger.workflow.start(type, { taskQueue: TASK_QUEUE, workflowId, args });
    for (const activityId of ['1', '2', '3']) {
      const result = { payloads: [plain(inputOf(world))] };
      await workflowService
        .respondActivityTaskCompletedById({
          namespace: temporal.namespace,
          workflowId,
          activityId,
          result,
        })
        .catch(() => undefined);
    }
    await comesToRest(handle);
    await handle.terminate().catch(() => undefined);
  }
}

describe.each(['plain', 'encrypted'] as const)('with %s payloads', (payloads) => {
  test('runs that nobody asked for leave every row and outside system as they were', async () => {
    const database = await testDatabase();
    const outgoing: string[] = [];
    const service = await startTestService(database, {
      temporal,
      env: { TEMPORAL_PAYLOADS: payloads, FX_RATES_URL: 'file:///nowhere.csv' },
      with: () => deafProviders(outgoing),
    });
    const world = await fullWorld(service);
    const worker = await runTestWorker(service.deps, temporal, {}, ['main', 'files']);
    const before = await everyRow(database.sql);
    const ends: Record<string, string> = {};
    for (const type of Object.keys(workflows)) {
      if (OF_ITS_ROW.has(type) && payloads === 'plain') continue;
      ends[type] = await forgeRun(type, world);
    }
    if (payloads === 'encrypted') await forgeAnswers(world);
    expect(await everyRow(database.sql)).toEqual(before);
    expect(outgoing.filter((call) => !/^store(Server)?\./.test(call))).toEqual([]);
    if (payloads === 'encrypted') expect(new Set(Object.values(ends))).toEqual(new Set(['FAILED']));
    await worker.stop();
  });
});
