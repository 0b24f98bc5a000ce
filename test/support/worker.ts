import { afterAll } from 'bun:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import type { Deps } from '../../src/context.ts';
import { workflowBundlePath } from '../../src/temporal/bundle.ts';
import { TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { createWorkerDataConverter } from '../../src/temporal/data-converter.ts';
import type { TestTemporal } from './temporal.ts';

export type Activities = ReturnType<typeof createActivities>;
export type TestWorker = { stop: () => Promise<void> };

let installed = false;

/**
 * A worker in this process, with real activities on `deps` unless some are replaced.
 * Stopped after the suite by itself.
 */
export async function startTestWorker(
  deps: Deps,
  temporal: TestTemporal,
  replaced: Partial<Activities> = {},
): Promise<TestWorker> {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') });
  installed = true;
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: {
      codePath: await workflowBundlePath(join(tmpdir(), 'cp-test-bundles'), deps.log),
    },
    activities: { ...createActivities(deps, CLEANUP_STEPS), ...replaced },
    dataConverter: await createWorkerDataConverter(deps),
    shutdownGraceTime: '1 second',
  });
  const done = worker.run();
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    worker.shutdown();
    await done;
    await connection.close();
  };
  afterAll(stop);
  return { stop };
}
