import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { createActivities, onFilesQueue } from '../../activities/index.ts';
import type { WorkerQueue } from '../config.ts';
import type { Deps } from '../context.ts';
import { bundleFolders, workflowBundlePath } from '../temporal/bundle.ts';
import { clusterOptions } from '../temporal/connection-options.ts';
import { FILES_TASK_QUEUE, TASK_QUEUE } from '../temporal/contracts/workflow.ts';
import { createWorkerDataConverter } from '../temporal/data-converter.ts';
import type { Lack } from '../temporal/requirements.ts';
import { workerIdentity } from '../temporal/sharing.ts';
import { CLEANUP_STEPS } from './chapters.ts';

/** Below the drain limit (src/app/processes/run.ts). */
const SHUTDOWN_GRACE = '3 seconds';
const MAX_CACHED_WORKFLOWS = 200;
const MAX_CONCURRENT_ACTIVITIES = 40;

export class TemporalLacks extends Error {
  constructor(readonly lack: Lack) {
    super(lack.reason);
    this.name = 'TemporalLacks';
  }
}

export type RunningWorker = {
  stop: () => Promise<void>;
  done: Promise<void>;
};

let isInstalled = false;

/** Logged where thrown, or expected. */
const NO_WARNINGS = ['Activity failed', 'No workflows registered, not polling for workflow tasks'];

/** Routes SDK and native core logs into ours. */
function installLogger(deps: Deps): void {
  if (isInstalled) return;
  isInstalled = true;
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const isWarning = level === 'WARN' && !NO_WARNINGS.includes(message);
    const method = level === 'ERROR' ? 'error' : isWarning ? 'warn' : 'debug';
    deps.log[method]({ temporal: meta }, message);
  });
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' });
  Runtime.install({ logger, telemetryOptions: { logging: { filter, forward: {} } } });
}

async function createWorkers(deps: Deps, connection: NativeConnection): Promise<Worker[]> {
  const { config } = deps;
  const activities = createActivities(deps, CLEANUP_STEPS);
  const shared = {
    connection,
    namespace: config.temporal.namespace,
    dataConverter: await createWorkerDataConverter(deps),
    identity: workerIdentity(await deps.installationId()),
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
  } as const;
  const create: Record<WorkerQueue, () => Promise<Worker>> = {
    main: async () =>
      Worker.create({
        ...shared,
        taskQueue: TASK_QUEUE,
        workflowBundle: {
          codePath: await workflowBundlePath(bundleFolders(config), deps.log),
        },
        activities,
        maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_ACTIVITIES,
      }),
    // Jobs without a free engine are left to other hosts.
    files: () =>
      Worker.create({
        ...shared,
        taskQueue: FILES_TASK_QUEUE,
        activities: onFilesQueue(activities),
        maxConcurrentActivityTaskExecutions: config.events.maintenanceJobs,
      }),
  };
  return Promise.all(config.workerQueues.map((queue) => create[queue]()));
}

export async function startWorker(deps: Deps): Promise<RunningWorker> {
  installLogger(deps);
  // Needed by the check for other installations' workers.
  await deps.installationId();
  const lack = await deps.temporal.prepare();
  if (lack !== null) throw new TemporalLacks(lack);
  const connection = await NativeConnection.connect(clusterOptions(deps.config));
  const workers = await createWorkers(deps, connection).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const end = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // One failure ends all: the process restarts with every worker.
  const runs = workers.map((worker) => worker.run().finally(end));
  const done = Promise.allSettled(runs)
    .then(() => Promise.all(runs))
    .then(() => undefined)
    .finally(() => connection.close());
  return {
    done,
    stop: async () => {
      end();
      await done;
    },
  };
}
