import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import type { Deps } from '../context.ts';
import { workflowBundlePath } from '../temporal/bundle.ts';
import { clusterOptions } from '../temporal/connection-options.ts';
import { TASK_QUEUE } from '../temporal/contracts/workflow.ts';
import { createWorkerDataConverter } from '../temporal/data-converter.ts';
import { CLEANUP_STEPS } from './chapters.ts';

/** Shorter than the drain of a process (src/app/processes/run.ts): activities hear of the end in time. */
const SHUTDOWN_GRACE = '3 seconds';
const MAX_CACHED_WORKFLOWS = 200;
const MAX_CONCURRENT_ACTIVITIES = 40;

export type RunningWorker = {
  /** Takes no new task, lets running activities end within the grace time. */
  stop: () => Promise<void>;
  /** Ends when the worker does; rejects when it failed. */
  done: Promise<void>;
};

let isInstalled = false;

/** The SDK's own lines go into our log, under its names. */
function installLogger(deps: Deps): void {
  if (isInstalled) return;
  isInstalled = true;
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const method = level === 'ERROR' ? 'error' : level === 'WARN' ? 'warn' : 'debug';
    deps.log[method]({ temporal: meta }, message);
  });
  Runtime.install({ logger });
}

async function createWorker(deps: Deps, connection: NativeConnection): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: {
      codePath: await workflowBundlePath(join(deps.config.dataDir, 'cache'), deps.log),
    },
    activities: createActivities(deps, CLEANUP_STEPS),
    dataConverter: await createWorkerDataConverter(deps),
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_ACTIVITIES,
  });
}

/** Throws when Temporal is away; it can be called again. */
export async function startWorker(deps: Deps): Promise<RunningWorker> {
  installLogger(deps);
  const connection = await NativeConnection.connect(clusterOptions(deps.config));
  const worker = await createWorker(deps, connection).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const done = worker.run().finally(() => connection.close());
  return {
    done,
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await done;
    },
  };
}
