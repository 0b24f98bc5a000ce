import { afterAll } from 'bun:test';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities, onFilesQueue } from '../../activities/index.ts';
import { CLEANUP_STEPS } from '../../src/app/chapters.ts';
import type { WorkerQueue } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { bundleFolders, workflowBundlePath } from '../../src/temporal/bundle.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from '../../src/temporal/contracts/workflow.ts';
import { createWorkerDataConverter } from '../../src/temporal/data-converter.ts';
import type { TestTemporal } from './temporal.ts';

export type Activities = ReturnType<typeof createActivities>;
export type TestWorker = { stop: () => Promise<void> };

let installed = false;

/** A worker that is stopped after the suite. */
export async function startTestWorker(
  ...options: Parameters<typeof runTestWorker>
): Promise<TestWorker> {
  const worker = await runTestWorker(...options);
  afterAll(worker.stop);
  return worker;
}

/**
 * A worker in this process, with real activities on `deps` unless some are replaced; of the queue of
 * event files only where it is named. Whoever starts it stops it.
 */
export async function runTestWorker(
  deps: Deps,
  temporal: TestTemporal,
  replaced: Partial<Activities> = {},
  queues: readonly WorkerQueue[] = ['main'],
): Promise<TestWorker> {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') });
  installed = true;
  const connection = await NativeConnection.connect({ address: temporal.address });
  const activities = { ...createActivities(deps, CLEANUP_STEPS), ...replaced };
  const shared = {
    connection,
    namespace: temporal.namespace,
    dataConverter: await createWorkerDataConverter(deps),
    shutdownGraceTime: '1 second',
  } as const;
  const workers: Worker[] = [];
  if (queues.includes('main')) {
    const codePath = await workflowBundlePath(bundleFolders(deps.config), deps.log);
    const options = { ...shared, taskQueue: TASK_QUEUE, workflowBundle: { codePath }, activities };
    workers.push(await Worker.create(options));
  }
  if (queues.includes('files')) {
    const options = { ...shared, taskQueue: FILES_TASK_QUEUE };
    workers.push(await Worker.create({ ...options, activities: onFilesQueue(activities) }));
  }
  const done = Promise.all(workers.map((worker) => worker.run()));
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    for (const worker of workers) worker.shutdown();
    await done;
    await connection.close();
  };
  return { stop };
}
